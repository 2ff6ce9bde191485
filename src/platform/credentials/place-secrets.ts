/** Puts the secrets of an opened credential into a request. Only the request that is sent has them, never the prepared one. */
import type { HttpRequest } from '../../language/nodes/tools.ts';
import type { PlacedSecrets } from './vault/placement.ts';

/** The parts of a request that secrets go into. */
type Parts = Pick<HttpRequest, 'url' | 'headers'>;

/** An account as far as it is placed. */
export type PlaceableAccount = Pick<
  PlacedSecrets,
  'headers' | 'query' | 'cookies' | 'baseUrl' | 'sentBaseUrl'
>;

/**
 * Replaces the base URL at the start of a URL, and nothing behind it: an input that contains `{api_key}` must not become the
 * secret in a place that others can read.
 */
function placeBaseUrl(url: string, { baseUrl, sentBaseUrl }: PlaceableAccount): string {
  if (baseUrl === null || sentBaseUrl === null) return url;
  // As a URL is written after parsing: braces in its path are encoded.
  const start = new URL(baseUrl).href.replace(/\/$/, '');
  const address = new URL(url).href;
  const rest = address.slice(start.length);
  return address.startsWith(start) && /^(?:[/?#]|$)/.test(rest) ? `${sentBaseUrl}${rest}` : url;
}

function placeQuery(url: string, query: PlaceableAccount['query']): string {
  const added = Object.entries(query);
  if (added.length === 0) return url;
  const parsed = new URL(url);
  const names = new Set(Object.keys(query));
  // Pair by pair: the rest of the query stays as it is written, and no second value competes with the secret.
  const kept = parsed.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !names.has([...new URLSearchParams(pair).keys()][0] ?? ''));
  parsed.search = [...kept, ...added.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join(
    '&',
  );
  return parsed.href;
}

function placeCookies(headers: Parts['headers'], cookies: PlaceableAccount['cookies']): Parts['headers'] {
  const added = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  if (added.length === 0) return headers;
  const own = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'cookie');
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'cookie');
  return { ...Object.fromEntries(others), cookie: [...own.map(([, value]) => value), ...added].join('; ') };
}

/** @returns the request's URL and headers with the secrets of the account */
export function placeSecrets({ url, headers }: Parts, account: PlaceableAccount): Parts {
  const named = new Set(Object.keys(account.headers));
  const others = Object.entries(headers).filter(([name]) => !named.has(name.toLowerCase()));
  return {
    url: placeQuery(placeBaseUrl(url, account), account.query),
    headers: placeCookies({ ...Object.fromEntries(others), ...account.headers }, account.cookies),
  };
}
