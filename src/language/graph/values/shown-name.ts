/** Names of files that people upload. */

// oxlint-disable-next-line no-control-regex -- they are what is removed
const UNSHOWN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Removes control characters and text directions from a name, which could display it as another one. */
export const shownName = (name: string): string => name.replaceAll(UNSHOWN, '').trim();
