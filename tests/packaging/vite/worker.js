import { open } from "tidegate";
import { live, told } from "./app.mjs";

told(() => live(open)).then((text) => postMessage(text));
