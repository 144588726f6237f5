// Icons: strokes on a grid of 24.
const SHAPES = {
  like: "M12 20.3S4.2 15.6 4.2 9.8A4.1 4.1 0 0 1 12 7.9a4.1 4.1 0 0 1 7.8 1.9c0 5.8-7.8 10.5-7.8 10.5Z",
  save: "M7 4h10v16l-5-4-5 4Z",
  skip: "m5 6 7 6-7 6Zm8 0 6 6-6 6Z",
  hide: "m4 4 16 16M10 6.2A9.6 9.6 0 0 1 21 12a14 14 0 0 1-2.3 2.9M6.5 7.5A14 14 0 0 0 3 12c2 3.6 5.4 6 9 6 1.5 0 3-.5 4.3-1.2",
  undo: "M8 5 4 9l4 4M4 9h9a5.5 5.5 0 0 1 0 11h-3",
  out: "M14 5h5v5m0-5-8 8M17 14v5H5V7h5",
  close: "m6 6 12 12M18 6 6 18",
  to: "m9 5 7 7-7 7",
  done: "m5 12.5 4.5 4.5L19 7.5",
} as const;

export function Icon({ name }: { name: keyof typeof SHAPES }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
