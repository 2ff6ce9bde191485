/** The wire shape of a signature that a webhook describes. */
import { z } from 'zod';
import { ALGORITHMS, ENCODINGS, findSignatureProblem } from './signature.ts';

/** The most characters of a signed text, of which the parts of a request count as their names. */
const MAX_SIGNED = 200;

const pairName = z.string().min(1).max(50);
const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/);

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
