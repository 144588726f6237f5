// What the built page allows itself: a content security policy in the page, and headers for a host that can send some.

/** One directive a line, so that each can be seen. What is not named may not be loaded at all. */
const directives = [
  "default-src 'none'",
  // The WebAssembly module is compiled, and nothing else.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** For `<meta http-equiv>`, which works on every host. */
export const policy = directives.join("; ");

/** What only a header can say: that no other site shows the page in a frame. */
const policyOfHost = [...directives, "frame-ancestors 'none'"].join("; ");

/**
 * The form that some static hosts read from a file `_headers` in their root; other hosts are told the same in their own way.
 * Each path gets a header from one rule only, since hosts differ in what they make of two.
 */
export const headers = `/*
  Content-Security-Policy: ${policyOfHost}
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Resource-Policy: same-origin
  Permissions-Policy: camera=(), geolocation=(), microphone=(), payment=(), usb=()
/
  Cache-Control: no-cache
/service-worker.js
  Cache-Control: no-cache
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;
