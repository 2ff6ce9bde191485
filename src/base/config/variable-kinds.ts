/** Kinds of values of environment variables: their formats, and what they are read as. */
import { isIP } from 'node:net';
import { z } from 'zod';

/** A key of 32 bytes and the short id that is stored with each ciphertext. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** This service's client registration with a provider. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Origin of the provider and base URL of its API, if they differ from the catalog's. */
  readonly origin: string | null;
  readonly baseUrl: string | null;
}

/** A block of IP addresses (RFC 4632): those that share the first `bits` with `address`. */
export interface Network {
  readonly address: string;
  readonly bits: number;
}

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port number');
export const tokenCount = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, 'must be a whole number from 1')
  .transform(Number);

/** Currencies that Stripe counts in units or thousandths; a credit is a hundredth. */
const ODD_CURRENCIES =
  'bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf bhd jod kwd omr tnd'.split(' ');

export const currency = z
  .string()
  .regex(/^[a-z]{3}$/, 'must be a currency in three small letters')
  .refine((code) => !ODD_CURRENCIES.includes(code), 'must be a currency of hundredths');
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

export const hostPort = z.string().regex(/^[^/\s]+:\d{1,5}$/, 'must be host:port');

export const hostPorts = list.refine(
  (items) => items.every((item) => /^\S+:\d{1,5}$/.test(item)),
  'must be a list of host:port',
);

/** Parses `address` or `address/bits`; null when it is neither. */
function parseNetwork(text: string): Network | null {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const max = isIP(address) === 4 ? 32 : 128;
  const given = Number(bits ?? max);
  return isIP(address) === 0 || given > max ? null : { address, bits: given };
}

export const networks = list.transform((items, ctx): Network[] => {
  const parsed = items.map(parseNetwork);
  if (!parsed.includes(null)) return parsed.filter((network) => network !== null);
  ctx.addIssue({ code: 'custom', message: 'must be a list of addresses and CIDR blocks' });
  return z.NEVER;
});

/** Parses a list `id:base64key`; null unless all keys have 32 bytes and distinct ids. */
export function parseEncryptionKeys(text: string): EncryptionKey[] | null {
  const keys = text.split(',').map((part) => {
    const at = part.indexOf(':');
    return { id: part.slice(0, at).trim(), key: Buffer.from(part.slice(at + 1).trim(), 'base64') };
  });
  const wrong = keys.some((key) => !/^[A-Za-z0-9_-]{1,32}$/.test(key.id) || key.key.length !== 32);
  return wrong || new Set(keys.map((key) => key.id)).size !== keys.length ? null : keys;
}

export const flag = z
  .enum(['0', '1', 'false', 'true'], { error: 'must be 1 or 0' })
  .default('0')
  .transform((text) => text === '1' || text === 'true');

/** Claims that the service reads, by their standard names. */
const CLAIM_NAMES = ['sub', 'email', 'email_verified', 'azp', 'sid', 'role'] as const;
export type ClaimNames = Readonly<Partial<Record<(typeof CLAIM_NAMES)[number], string>>>;

export const claimNames = z.string().transform((text, ctx): ClaimNames => {
  const pairs = text.split(',').map((part) => /^\s*(\w+)=(\S+)\s*$/.exec(part));
  const isGood = pairs.every((pair) => CLAIM_NAMES.some((name) => name === pair?.[1]));
  if (isGood) return Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]]));
  ctx.addIssue({ code: 'custom', message: `must be a list of name=claim, names: ${CLAIM_NAMES.join(', ')}` });
  return z.NEVER;
});

export const encryptionKeys = z.string().transform((text, ctx): EncryptionKey[] => {
  const keys = parseEncryptionKeys(text);
  if (keys !== null) return keys;
  ctx.addIssue({
    code: 'custom',
    message: 'must be a list id:base64key of 32-byte keys with different ids',
  });
  return z.NEVER;
});

const oauthClient = z
  .strictObject({
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    /** For a provider at another origin, such as GitHub Enterprise. */
    origin: httpUrl.optional(),
    base_url: httpUrl.optional(),
  })
  .transform(
    ({ client_id: clientId, client_secret: clientSecret, origin, base_url: baseUrl }): OAuthClient => ({
      clientId,
      clientSecret,
      origin: origin === undefined ? null : new URL(origin).origin,
      baseUrl: baseUrl ?? null,
    }),
  );
export const oauthClients = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.record(z.string(), oauthClient, { error: 'must be {"integration": {"client_id", "client_secret"}}' }),
  );
