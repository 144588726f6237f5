import nodeResolve from "@rollup/plugin-node-resolve";

export default {
  input: ["main.js", "inline.js"],
  output: { dir: "dist" },
  plugins: [nodeResolve({ browser: true })],
};
