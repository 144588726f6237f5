import { open } from "tidegate";
import { live, told } from "../app.mjs";

console.log(await told(() => live(open)));
