/** The function: a tenant's JavaScript in the sandbox, JSON in and JSON out (SPEC DEF-2.4). */
import { z } from 'zod';
import { checkSchema } from '../../graph/schema/json-schema.ts';
import { NodeError, defineNode } from '../kind.ts';
import { addProblem, anyJson, jsonSchema, readConfig } from '../read-config.ts';

/** SPEC SEC-X12: 300 kB must pass, 1 MB must not. */
export const MAX_CODE_BYTES = 512 * 1024;
/** Time to start a sandbox, beside the timeout of the code; time in the queue does not count. */
const MARGIN_MS = 20_000;
/** Most functions end within 1 ms, and 50 ms keep 50 of them in a row below the limit of a fold. */
const INLINE_WAIT_MS = 50;
const DEFAULT_LIMITS = { timeout_ms: 5_000, memory_mb: 128 };

const config = z.object({
  language: z
    .literal('javascript', 'only javascript is supported')
    .default('javascript')
    .meta({ description: 'Programming language: JavaScript' }),
  code: z
    .string()
    .min(1)
    .superRefine((code, ctx) => {
      if (Buffer.byteLength(code) > MAX_CODE_BYTES)
        addProblem(ctx, { code: 'code_too_large', message: 'is larger than 512 kB', path: [] });
      if (code.includes('\0'))
        addProblem(ctx, { code: 'invalid_code', message: 'contains a NUL character', path: [] });
    })
    .meta({
      description:
        'An ES module whose default export is called with `arguments`; templates in it are not rendered',
    }),
  arguments: anyJson.nullish().meta({ description: 'Argument of the function; values may be templates' }),
  output_schema: jsonSchema
    .nullish()
    .meta({ description: 'JSON Schema of the returned value; null: any value' }),
  limits: z
    .object({
      timeout_ms: z
        .int()
        .min(1)
        .max(35_000)
        .default(DEFAULT_LIMITS.timeout_ms)
        .meta({ description: 'Timeout of one call, in milliseconds' }),
      memory_mb: z
        .int()
        .min(8)
        .max(512)
        .default(DEFAULT_LIMITS.memory_mb)
        .meta({ description: 'Maximum memory of one call, in MiB' }),
    })
    .nullish()
    .transform((limits) => limits ?? DEFAULT_LIMITS)
    .meta({ description: 'Limits of one call; null: the defaults' }),
  network: z
    .literal('none', 'functions have no network')
    .default('none')
    .meta({ description: 'Network access: functions have none' }),
});
type Config = z.output<typeof config>;

/** The kind `function`. Only `arguments` has templates, the code never. */
export const functionNode = defineNode<Config>({
  type: 'function',
  config,
  examples: [
    {
      id: 'words',
      type: 'function',
      config: {
        code: "export default ({text}) => ({count: text.split(' ').length})",
        arguments: { text: '{{input.text}}' },
        limits: { timeout_ms: 2_000, memory_mb: 32 },
      },
    },
  ],
  guide:
    '{"code": "export default ({rows}) => ({total: rows.length})", "arguments": {"rows": "{{fetch.data}}"}}; output is what the code returns. No network, no packages.',
  codeKey: 'code',
  schemaPaths: [['output_schema']],
  literalKeys: ['language', 'code', 'output_schema', 'limits', 'network'],
  parse: (given) => readConfig(config, given),
  policy: (given) => ({
    placement: 'activity',
    effect: 'pure',
    inlineWaitMs: INLINE_WAIT_MS,
    timeoutMs: given.limits.timeout_ms + MARGIN_MS,
    maxAttempts: 1,
    handles: [],
  }),
  async run(call) {
    const given = call.config;
    const argument = call.render(given.arguments ?? {});
    call.keepInput(argument);
    const { value, logs } = await call.tools.sandbox.run({
      organizationId: call.identity.organizationId,
      code: given.code,
      argument,
      timeoutMs: given.limits.timeout_ms,
      memoryMb: given.limits.memory_mb,
      signal: call.signal,
    });
    const problems = given.output_schema ? checkSchema(given.output_schema, value, call.patterns) : [];
    if (problems.length > 0) {
      throw new NodeError('output_schema_mismatch', 'The returned value does not match output_schema');
    }
    return { outcome: 'completed', output: value, logs };
  },
});
