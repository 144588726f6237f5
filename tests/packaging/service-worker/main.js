navigator.serviceWorker.onmessage = ({ data }) => {
  document.querySelector("output").textContent = data;
};
await navigator.serviceWorker.register("./worker.js", { type: "module" });
const { active } = await navigator.serviceWorker.ready;
active.postMessage("go");
