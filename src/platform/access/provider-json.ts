/** Fetches JSON from the identity provider with limits: two seconds, 256 KiB, no redirects. */
import { request } from 'undici';

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 256 * 1024;

/** The provider answered with another status than 200. */
export class ProviderStatusError extends Error {
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${new URL(url).origin} answered ${status}`);
    this.status = status;
  }
}

async function readCapped(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Says a server that has no HEAD: it answers, all the same. */
const NOT_IMPLEMENTED = 501;

/**
 * Asks whether the provider answers. HEAD, because the key set itself is cached for 300 s (jwt.ts).
 * @throws ProviderStatusError for a failure of the provider; Error without an answer in time
 */
export async function askIdentityProvider(url: string): Promise<void> {
  const { statusCode, body } = await request(url, {
    method: 'HEAD',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await body.dump();
  if (statusCode >= 500 && statusCode !== NOT_IMPLEMENTED) throw new ProviderStatusError(url, statusCode);
}

/**
 * Fetches and parses JSON.
 * @param authorization value of the Authorization header
 * @throws ProviderStatusError for another status than 200; Error without an answer in time, or when it is not JSON
 */
export async function fetchProviderJson(url: string, authorization?: string): Promise<unknown> {
  const response = await request(url, {
    headers: { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.statusCode !== 200) {
    await response.body.dump();
    throw new ProviderStatusError(url, response.statusCode);
  }
  return JSON.parse(await readCapped(response.body));
}
