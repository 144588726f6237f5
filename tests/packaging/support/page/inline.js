import { open } from "tidegate/inline";
import { live, told } from "./app.mjs";

document.querySelector("output").textContent = await told(() => live(open));
