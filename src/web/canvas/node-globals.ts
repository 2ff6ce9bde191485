/** The kinds of nodes count bytes with Node's Buffer; in a worker of the page, this is all of it that their checks need. */
const encoder = new TextEncoder();

Object.assign(globalThis, {
  Buffer: { byteLength: (text: string): number => encoder.encode(text).byteLength },
});
