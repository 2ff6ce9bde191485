/** Signs requests for services of AWS and others with its signatures (AWS, "Signature Version 4 for API requests"). */
import { createHash, createHmac } from 'node:crypto';
import type { HttpRequest } from '../../language/nodes/tools.ts';

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The key of an account, and what it signs for. */
export interface AwsSigning {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary keys; empty: none. */
  readonly sessionToken: string;
  readonly region: string;
  readonly service: string;
}

const hash = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const sign = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Everything but unreserved characters is encoded (RFC 3986, 2.3). */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** S3 reads the path as it is sent; the other services encode it once more. */
function canonicalizePath(pathname: string, service: string): string {
  return service === 's3' ? pathname : pathname.split('/').map(encode).join('/');
}

function canonicalizeQuery(search: URLSearchParams): string {
  const pairs = [...search].map(([name, value]) => [encode(name), encode(value)] as const);
  return pairs
    .toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

async function hashBody(body: HttpRequest['body']): Promise<string> {
  if (body === null) return hash('');
  if (typeof body === 'string' || body instanceof Uint8Array) return hash(body);
  const digest = createHash('sha256');
  for await (const chunk of body.open()) digest.update(chunk);
  return digest.digest('hex');
}

/**
 * Signs a request as it is sent; a streamed body is read once more for it.
 * @param nowMs since 1970 @returns the headers of the request, and those of its signature; names in lower case
 */
export async function signAws(
  { method, url, headers, body }: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>,
  { accessKeyId, secretAccessKey, sessionToken, region, service }: AwsSigning,
  nowMs: number,
): Promise<Record<string, string>> {
  const { host, pathname, searchParams } = new URL(url);
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const date = time.slice(0, 8);
  const bodyHash = await hashBody(body);
  const own: Record<string, string> = {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    'x-amz-date': time,
    ...(sessionToken !== '' && { 'x-amz-security-token': sessionToken }),
    ...(service === 's3' && { 'x-amz-content-sha256': bodyHash }),
  };
  // A proxy may change others on the way.
  const signed = Object.entries({ ...own, host })
    .filter(([name]) => name === 'host' || name === 'content-type' || name.startsWith('x-amz-'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    method.toUpperCase(),
    canonicalizePath(pathname, service),
    canonicalizeQuery(searchParams),
    ...signed.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    bodyHash,
  ].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const text = [ALGORITHM, time, scope, hash(canonical)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(sign, `AWS4${secretAccessKey}`);
  const signature = sign(key, text).toString('hex');
  const credential = `Credential=${accessKeyId}/${scope}`;
  return {
    ...own,
    authorization: `${ALGORITHM} ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
