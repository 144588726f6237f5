// @vitest-environment jsdom

import { open } from "tidegate";
import { expect, it } from "vitest";
import { live } from "./app.mjs";

it("has memory", async () => {
  expect(document.body).toBeDefined();
  expect(await live(open)).toMatchObject({ stored: false });
});
