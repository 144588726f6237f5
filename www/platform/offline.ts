// Lets the built page work without a network: registers its service worker, once the page itself is loaded.

addEventListener("load", () => {
  // Where there is none, as in some private windows, the page works with a network only.
  navigator.serviceWorker?.register("service-worker.js").catch(() => {});
});
