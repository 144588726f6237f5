import { open } from "tidegate/inline";
import { live, told } from "../app.mjs";

console.log(await told(() => live(open)));
