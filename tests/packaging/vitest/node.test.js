import { open } from "tidegate";
import { fileStore } from "tidegate/node";
import { expect, it } from "vitest";
import { live } from "./app.mjs";

it("has files", async () => {
  expect(await live(open, { storage: fileStore("data") })).toMatchObject({ stored: true });
});
