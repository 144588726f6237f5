export default { build: { rollupOptions: { input: ["index.html", "worker.html"] } } };
