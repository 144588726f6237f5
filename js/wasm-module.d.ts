// What an imported .wasm file is where the runtime compiles it: in Cloudflare's workerd.
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
