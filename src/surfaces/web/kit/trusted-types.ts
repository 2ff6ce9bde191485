/**
 * The one policy of Trusted Types that the page may make (SPEC SEC-W01). It is the browser's default, since those who write
 * into the page's sinks are packages that know of no policy: Mantine writes style sheets by `innerHTML`, and the build starts
 * workers by address. Text without a tag and files of the build are all that they need. Imported first.
 */

/** Not in TypeScript's own library yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: {
      /** Null refuses the text. */
      readonly createHTML: (text: string) => string | null;
      readonly createScriptURL: (address: string) => string | null;
    },
  ): unknown;
}

/** A style sheet has no tag; all else is made as elements, by React. */
const createHTML = (text: string): string | null => (text.includes('<') ? null : text);

function createScriptURL(address: string): string | null {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && pathname.startsWith(import.meta.env.BASE_URL) ? address : null;
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy('default', { createHTML, createScriptURL });
