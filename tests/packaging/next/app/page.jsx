import { open } from "tidegate";
import { live, told } from "../app.mjs";
import { Club } from "./club.jsx";

// Rendered anew for every request.
export const dynamic = "force-dynamic";

export default async function Page() {
  return (
    <main>
      <pre>{await told(() => live(open))}</pre>
      <Club />
    </main>
  );
}
