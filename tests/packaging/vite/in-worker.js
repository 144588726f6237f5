const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const show = (text) => {
  document.querySelector("output").textContent = text;
};
worker.onmessage = ({ data }) => show(data);
worker.onerror = ({ message }) => show(JSON.stringify({ error: message }));
