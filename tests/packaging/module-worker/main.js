const worker = new Worker("./worker.js", { type: "module" });
const show = (text) => {
  document.querySelector("output").textContent = text;
};
worker.onmessage = ({ data }) => show(data);
worker.onerror = ({ message }) => show(JSON.stringify({ error: message }));
