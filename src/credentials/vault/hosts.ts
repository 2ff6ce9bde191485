/**
 * The hosts that a credential may be sent to. An entry is `host:port`, or `host` alone for https on its usual port: a
 * secret goes over plain http only where somebody has written the port.
 */
const ENTRY = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** The same for readers of the API: capitals and spaces around an entry are taken, too. */
export const HOST_PATTERN = ENTRY.source
  .replaceAll('a-z', 'A-Za-z')
  .replace('^', String.raw`^\s*`)
  .replace(/\$$/, String.raw`\s*$`);

const USUAL_PORT: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

const hostPort = (url: URL): string => `${url.hostname}:${url.port || (USUAL_PORT[url.protocol] ?? '')}`;

/** An entry in its one spelling, or null when it is none. */
export function readHost(text: string): string | null {
  const entry = text.trim().toLowerCase();
  return ENTRY.test(entry) ? entry : null;
}

/** The entry that allows exactly this URL's host. */
export function hostOf(url: string): string {
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
