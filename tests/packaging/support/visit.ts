// Opens an app's page in Chromium and waits for what it tells.
import { Browser } from "../../browser/support/browser.ts";
import type { Answer } from "./app.mjs";
import { type Site, serve } from "./site.ts";

/** What a page at an address tells. Whatever its console complains of is an error too, but for what `expected` fits. */
export async function visit(address: string, expected?: RegExp): Promise<Answer & { error?: string }> {
  const browser = await Browser.open("chromium");
  try {
    await browser.open(address);
    const read = (): Promise<string> => browser.text("output");
    const text = await browser.until("the answer", read, (answer) => answer !== "").catch(String);
    const complaints = browser.complaints.filter((complaint) => expected === undefined || !expected.test(complaint));
    if (complaints.length > 0 || !text.startsWith("{")) throw new Error([text, ...complaints].join("\n"));
    return JSON.parse(text);
  } finally {
    await browser.quit();
  }
}

/** The same for files on a static host. */
export async function visitFiles(folder: string, headers?: Record<string, string>): Promise<Answer> {
  const site: Site = await serve(folder, headers);
  try {
    return await visit(site.address);
  } finally {
    await site.close();
  }
}
