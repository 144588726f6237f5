import { open } from "tidegate";
import { fileStore } from "tidegate/node";
import { live, told } from "./app.mjs";

told(() => live(open, { storage: fileStore("data") })).then(console.log);
