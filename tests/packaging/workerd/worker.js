import { open } from "tidegate";
import { live, told } from "./app.mjs";

export default {
  async fetch() {
    return new Response(await told(() => live(open)));
  },
};
