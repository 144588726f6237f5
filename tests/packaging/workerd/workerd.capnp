# The module is listed like any other; esbuild has left its import in the bundle.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "app", worker = .app)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "app")],
);

const app :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "dist/worker.js"),
    (name = "tidegate_bg.wasm", wasm = embed "dist/tidegate_bg.wasm"),
  ],
  compatibilityDate = "2026-11-01",
);
