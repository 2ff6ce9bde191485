/**
 * An account that is authorized, or a person who signs in, in a window of its own: the provider sends that window back to
 * the application, and it tells the window that waits. Neither needs the other as its opener, so pages stay apart.
 */
import { BASE } from './return-address.ts';

/** Where a window comes back to; the API leads `/oauth/callback`, which providers know, here. */
export const RETURN = `${BASE}/oauth/callback`;
const CHANNEL = 'authorization';
/** How long a window that came back looks for the one that waits. */
const ACCEPTED_WITHIN_MS = 3_000;

/** The provider's answer in the address (RFC 6749, 4.1.2). */
interface AuthorizationResponse {
  readonly state: string;
  readonly code: string | null;
  readonly error: string | null;
  /** The whole query of the address. */
  readonly search: string;
}

export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);

/** @throws Error for what is neither https nor this machine: a `javascript:` address would run in the page */
export function providerAddress(text: string): string {
  const url = new URL(text);
  if (url.protocol !== 'https:' && !isLoopback(url)) throw new Error(`${url.protocol} is no provider`);
  return url.href;
}

/** Removes the code from the URL, so that it stays out of the history. @returns what the provider sent */
export function takeResponse(): AuthorizationResponse {
  const given = new URL(location.href).searchParams;
  const { pathname, search } = location;
  history.replaceState(null, '', pathname);
  return { state: given.get('state') ?? '', code: given.get('code'), error: given.get('error'), search };
}

/** @returns true when a window of this browser waits for it */
export function handOverResponse(response: AuthorizationResponse): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<boolean>((resolve) => {
    const late = setTimeout(() => resolve(false), ACCEPTED_WITHIN_MS);
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data !== response.state) return;
      clearTimeout(late);
      resolve(true);
    });
    channel.postMessage(response);
  }).finally(() => channel.close());
}

/** Waits for the window that comes back with this state. @throws the signal's reason */
export function awaitResponse(state: string, signal: AbortSignal): Promise<AuthorizationResponse> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<AuthorizationResponse>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    channel.addEventListener('message', ({ data }: MessageEvent<AuthorizationResponse | string>) => {
      if (typeof data === 'string' || data.state !== state) return;
      channel.postMessage(state);
      resolve(data);
    });
  }).finally(() => channel.close());
}
