// The demo page: a film feed that learns on this device, beside a view into what is shared. It uses the public API only.
import { render } from "preact";
import { openDevice } from "./opening.ts";
import { Page } from "./view/page.tsx";

const place = document.querySelector("#page");
if (place === null) throw new Error("index.html has no #page");

openDevice()
  .then((device) => render(<Page device={device} />, empty(place)))
  .catch((error: unknown) => {
    console.error(error);
    const problem = error instanceof Error ? error.message : String(error);
    render(<Problem text={problem} />, empty(place));
  });

function Problem({ text }: { text: string }) {
  return (
    <p class="opening" role="alert">
      This page could not start. {text}
    </p>
  );
}

function empty(element: Element): Element {
  element.replaceChildren();
  return element;
}
