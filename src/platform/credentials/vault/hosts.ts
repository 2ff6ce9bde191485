/**
 * The hosts that may receive a credential. An entry is `host:port`, or `host` alone for https on port 443: a secret is sent
 * over plain http only to an entry with a port.
 */
const ENTRY = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** The same pattern for the API, which also accepts capitals and surrounding spaces. */
export const HOST_PATTERN = ENTRY.source
  .replaceAll('a-z', 'A-Za-z')
  .replace('^', String.raw`^\s*`)
  .replace(/\$$/, String.raw`\s*$`);

const USUAL_PORT: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

const hostPort = (url: URL): string => `${url.hostname}:${url.port || (USUAL_PORT[url.protocol] ?? '')}`;

/** Normalizes an entry; null when it is invalid. */
export function readHost(text: string): string | null {
  const entry = text.trim().toLowerCase();
  return ENTRY.test(entry) ? entry : null;
}

/** @returns the entry that allows exactly this URL's host */
export function toHostEntry(url: string): string {
  const parsed = new URL(url);
  return parsed.protocol === 'https:' && parsed.port === '' ? parsed.hostname : hostPort(parsed);
}

/** True if a credential with these entries may be sent to the URL. */
export function allowsHost(entries: readonly string[], url: string): boolean {
  const parsed = new URL(url);
  const here = hostPort(parsed);
  return entries.some((entry) => {
    if (entry === here) return true;
    return parsed.protocol === 'https:' && parsed.port === '' && entry === parsed.hostname;
  });
}
