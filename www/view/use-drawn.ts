// What is not seen first is rendered when what is seen first has been drawn.
import { useEffect, useState } from "preact/hooks";

/** Whether the component has been drawn once. */
export function useDrawn(): boolean {
  const [drawn, becomeDrawn] = useState(false);
  useEffect(() => becomeDrawn(true), []);
  return drawn;
}
