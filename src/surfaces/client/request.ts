/**
 * Builds the request of a call. `fetch` throws a TypeError for a value that cannot be sent as for a network that fails, so values
 * are checked here, before it.
 */
import type { Call } from './transport.ts';

export interface BuiltRequest {
  /** Below the URL of the service. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: FormData | string | undefined;
}

/** @throws Error for a missing path parameter: the request would reach another resource */
function toPath({ path, parameters, query }: Call): string {
  if (parameters === undefined && query === undefined && !path.includes('{')) return path;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters?.[name];
    if (typeof value !== 'string' || value === '') throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null)
      search.append(name, String(value as string | number | boolean));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

/** Sets a header. @throws Error that names it, and never its value, which may be a secret */
export function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch (cause) {
    throw new Error(`The header ${name} has a character that no header may have`, { cause });
  }
}

/** @throws Error for a value that cannot be sent, such as an object that contains itself */
export function buildRequest(call: Call, usual: Readonly<Record<string, string>>): BuiltRequest {
  const headers = new Headers();
  for (const [name, value] of Object.entries({ ...usual, ...call.headers })) setHeader(headers, name, value);
  const { body } = call;
  const path = toPath(call);
  if (body === undefined || body instanceof FormData) return { path, headers, body };
  headers.set('Content-Type', 'application/json');
  return { path, headers, body: JSON.stringify(body) };
}
