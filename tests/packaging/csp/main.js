import { live, told } from "./app.mjs";

// An import map in the page would be an inline script, which the policy forbids.
const { open } = await import(`./node_modules/tidegate/dist/${location.search === "?inline" ? "inline" : "index"}.js`);
const start = performance.now();
/** Where the module cannot be had: the error, and when it came. */
const refused = (error) => {
  if (error.code === undefined) throw error;
  return { code: error.code, cause: String(error.cause), after: performance.now() - start };
};
document.querySelector("output").textContent = await told(() => live(open).catch(refused));
