/** The checks of node kinds count bytes with Node's Buffer. A browser has none, so the worker gets the one method they call. */
const encoder = new TextEncoder();

Object.assign(globalThis, {
  Buffer: { byteLength: (text: string): number => encoder.encode(text).byteLength },
});
