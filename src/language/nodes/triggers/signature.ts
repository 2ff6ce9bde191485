/** The way in which a sender signs its requests, as data: what a webhook of any sender says of it. */
import { z } from 'zod';

const ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const;
const ENCODINGS = ['hex', 'base64'] as const;

/** A way to sign with HMAC. */
export interface Signature {
  /** Name of the header that holds the signature, in lower case. */
  readonly header: string;
  readonly algorithm: (typeof ALGORITHMS)[number];
  readonly encoding: (typeof ENCODINGS)[number];
  /** The signed text, with `{body}`, `{form}`, `{time}`, `{method}` and `{url}` in it. */
  readonly signed: string;
  /** Text before the signature, such as `sha256=`. */
  readonly prefix?: string | null | undefined;
  /** Name of the signatures, where the header has pairs: `v1` of `t=1,v1=…`. */
  readonly field?: string | null | undefined;
  /** The header with the signed time. */
  readonly time_header?: string | null | undefined;
  /** Name of the signed time in the header of the signature: `t` of `t=1,v1=…`. */
  readonly time_field?: string | null | undefined;
}

/** The parts that a signed text may have. */
const PARTS = ['body', 'form', 'time', 'method', 'url'] as const;
/** A part of a request that a text may sign. */
export type SignedPart = (typeof PARTS)[number];
/** A part in a signed text. */
export const SIGNED_PART = /\{([^{}]*)\}/g;

/** Tells whether a name is that of a part. */
export const isSignedPart = (name: string): name is SignedPart => PARTS.some((part) => part === name);
/** Tells whether a text signs a part. */
export const signsPart = ({ signed }: Pick<Signature, 'signed'>, part: SignedPart): boolean =>
  signed.includes(`{${part}}`);

/** Finds why a signature proves nothing, or cannot be computed; null when it is right. */
function findSignatureProblem(signature: Signature): string | null {
  const names = Array.from(signature.signed.matchAll(SIGNED_PART), ([, name = '']) => name);
  const unknown = names.find((name) => !isSignedPart(name));
  if (unknown !== undefined) return `{${unknown}} is no part of a request: ${PARTS.join(', ')}`;
  if (new Set(names).size < names.length) return 'Each part is signed once at most';
  if (!signsPart(signature, 'body') && !signsPart(signature, 'form'))
    return 'The signed text must have {body} or {form}: what is not signed can be replaced';
  const namesTime = (signature.time_header ?? null) !== null || (signature.time_field ?? null) !== null;
  if (signsPart(signature, 'time') !== namesTime)
    return 'A signed {time} needs time_header or time_field, and they need it';
  if ((signature.time_field ?? null) !== null && (signature.field ?? null) === null)
    return 'time_field is for a header with pairs, so field is needed, too';
  return null;
}

/** The most characters of a signed text, of which the parts of a request count as their names. */
const MAX_SIGNED = 200;

const pairName = z.string().min(1).max(50);
const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/);

/** The signature that a webhook describes itself (`hmac`). */
export const signature = z
  .object({
    header: headerName.meta({ description: 'Header with the signature' }),
    algorithm: z.enum(ALGORITHMS).default('sha256').meta({ description: 'Hash function of the HMAC' }),
    encoding: z.enum(ENCODINGS).default('hex').meta({ description: 'Encoding of the signature' }),
    signed: z.string().min(1).max(MAX_SIGNED).default('{body}').meta({
      description:
        'The signed text with its parts: `{body}`, `{form}` (the fields of a form, sorted, each name before its value), `{time}`, `{method}` and `{url}`, such as `v0:{time}:{body}`',
    }),
    prefix: z
      .string()
      .max(50)
      .nullish()
      .meta({ description: 'Text before the signature, such as `sha256=`; null: none' }),
    field: pairName.nullish().meta({
      description: 'Name of the signature in a header with pairs: `v1` of `t=1,v1=…`; null: the whole header',
    }),
    time_header: headerName.nullish().meta({
      description:
        'Header with the signed time in seconds since 1970, at most 300 s from the clock; null: none',
    }),
    time_field: pairName.nullish().meta({
      description: 'Name of the signed time in a header with pairs: `t` of `t=1,v1=…`; null: none',
    }),
  })
  .superRefine((given, ctx) => {
    const problem = findSignatureProblem(given);
    if (problem !== null)
      ctx.addIssue({ code: 'custom', message: problem, params: { type: 'signature_invalid' } });
  })
  .meta({ id: 'HookSignature' });
