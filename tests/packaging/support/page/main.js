import { open } from "tidegate";
import { live, told } from "./app.mjs";

document.querySelector("output").textContent = await told(() => live(open));
