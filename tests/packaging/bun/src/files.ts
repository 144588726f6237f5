import { open } from "tidegate";
import { fileStore } from "tidegate/node";
import { live, told } from "../app.mjs";

console.log(await told(() => live(open, { storage: fileStore("data") })));
