/** Guardrails: local checks of a text that let it pass, mask parts of it or block it (definition 2.8). */
import { z } from 'zod';
import { checkSchema } from '../graph/json-schema.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import type { Finding } from './detect.ts';
import { PII_ENTITIES, findKeywords, findPii, findSecrets, findUrls, mask } from './detect.ts';
import type { KindProblem, NodeCall, NodeResult } from './kind.ts';
import { NodeError, defineNode } from './kind.ts';
import { findAll, patternProblem } from './pattern.ts';
import { addProblem, anyJson, jsonObject, readConfig } from './read-config.ts';

/** Security bar, guardrails: input per check. */
const MAX_INPUT_BYTES = 256 * 1024;
const MAX_FINDINGS = 1_000;
const MAX_SHOWN = 20;

const anyAction = z.enum(['block', 'mask', 'flag']).default('block');
/** Checks that find no place in the text cannot mask one. */
const noMask = z.enum(['block', 'flag']).default('block');

const check = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('pii'),
      entities: z
        .array(z.enum(PII_ENTITIES))
        .min(1)
        .default([...PII_ENTITIES]),
      action: anyAction,
    }),
    z.object({ type: z.literal('secret_keys'), action: anyAction }),
    z.object({
      type: z.literal('keywords'),
      keywords: z.array(z.string().min(1).max(256)).min(1).max(1_000),
      case_sensitive: z.boolean().default(false),
      action: anyAction,
    }),
    z.object({
      type: z.literal('regex'),
      pattern: z.string().min(1),
      expect: z.enum(['match', 'no_match']).default('no_match'),
      action: anyAction,
    }),
    z.object({
      type: z.literal('urls'),
      allowed_hosts: z.array(z.string().toLowerCase()).default([]),
      allowed_schemes: z.array(z.string().toLowerCase()).default(['https', 'http']),
      allow_subdomains: z.boolean().default(true),
      action: anyAction,
    }),
    z.object({ type: z.literal('json_schema'), schema: jsonObject, action: noMask }),
    z.object({ type: z.literal('max_length'), max: z.int().min(0), action: noMask }),
  ])
  .superRefine((given, ctx) => {
    if (given.type !== 'regex') return;
    const problem = patternProblem(given.pattern);
    if (problem !== null) addProblem(ctx, 'invalid_pattern', problem, ['pattern']);
    if (given.expect === 'match' && given.action === 'mask') {
      addProblem(ctx, 'invalid_config', 'what does not match cannot be masked', ['action']);
    }
  });
type Check = z.output<typeof check>;

const config = z.object({
  input: anyJson,
  checks: z.array(check).max(50),
  // A check that could not run is not a pass: the node fails.
  on_check_error: z.literal('fail').default('fail'),
});
type Config = z.output<typeof config>;

const MODEL_CHECKS: ReadonlySet<string> = new Set([
  'moderation',
  'jailbreak',
  'topic',
  'grounding',
  'custom',
]);

function modelChecks(given: JsonObject): KindProblem[] {
  const checks: Json[] = Array.isArray(given['checks']) ? given['checks'] : [];
  return checks.flatMap((item, at) => {
    const type = typeof item === 'object' && item !== null && !Array.isArray(item) ? item['type'] : undefined;
    if (typeof type !== 'string' || !MODEL_CHECKS.has(type)) return [];
    const message = `The check ${type} is not available in this version`;
    return [{ code: 'check_unavailable', message, path: ['checks', at, 'type'] }];
  });
}

/** Characters that show nothing and hide a word from a pattern (Unicode, Default_Ignorable_Code_Point). */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const normalize = (text: string): string =>
  text.normalize('NFKC').replaceAll(INVISIBLE, '').normalize('NFKC');

interface Verdict {
  readonly findings: readonly Finding[];
  /** What the violation shows. Personal data and secrets are named by kind, never quoted. */
  readonly matches: readonly string[];
}

const kindsOf = (findings: readonly Finding[]): string[] => [...new Set(findings.map(({ label }) => label))];
const quoted = (text: string, findings: readonly Finding[]): string[] =>
  [...new Set(findings.map(({ start, end }) => text.slice(start, Math.min(end, start + 100))))].slice(
    0,
    MAX_SHOWN,
  );

function checkJson(call: NodeCall<Config>, text: string, schema: JsonObject): Verdict | null {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { findings: [], matches: ['not JSON'] };
  }
  const issues = checkSchema(schema, value, (pattern, part) => call.tools.matches(pattern, part));
  if (issues.length === 0) return null;
  return {
    findings: [],
    matches: issues.slice(0, MAX_SHOWN).map(({ path, message }) => `/${path.join('/')}: ${message}`),
  };
}

function checkRegex(
  call: NodeCall<Config>,
  text: string,
  given: Extract<Check, { type: 'regex' }>,
): Verdict | null {
  const present = call.tools.matches(given.pattern, text);
  if (present === (given.expect === 'match')) return null;
  if (given.expect === 'match') return { findings: [], matches: [] };
  const findings = findAll(given.pattern, text, MAX_FINDINGS).map(([start, end]) => ({
    start,
    end,
    label: 'MASKED',
  }));
  return { findings, matches: quoted(text, findings) };
}

/** What one check says about the text; null: nothing. */
function judge(call: NodeCall<Config>, text: string, given: Check): Verdict | null {
  const found = (findings: readonly Finding[], show: (of: readonly Finding[]) => string[]): Verdict | null =>
    findings.length === 0 ? null : { findings, matches: show(findings) };
  switch (given.type) {
    case 'pii':
      return found(findPii(text, given.entities), kindsOf);
    case 'secret_keys':
      return found(findSecrets(text), kindsOf);
    case 'keywords':
      return found(findKeywords(text, given.keywords, given.case_sensitive), (of) => quoted(text, of));
    case 'urls': {
      const rules = {
        hosts: given.allowed_hosts,
        schemes: given.allowed_schemes,
        allowSubdomains: given.allow_subdomains,
      };
      return found(findUrls(text, rules), (of) => quoted(text, of));
    }
    case 'regex':
      return checkRegex(call, text, given);
    case 'json_schema':
      return checkJson(call, text, given.schema);
    case 'max_length': {
      const length = Array.from(text).length;
      return length <= given.max ? null : { findings: [], matches: [`${length} characters`] };
    }
  }
}

function run(call: NodeCall<Config>): NodeResult {
  const rendered = call.render(call.config.input);
  const original =
    typeof rendered === 'string' ? rendered : rendered === null ? '' : JSON.stringify(rendered);
  if (Buffer.byteLength(original) > MAX_INPUT_BYTES) {
    throw new NodeError('input_too_large', 'The text to check is larger than 256 kB');
  }
  const text = normalize(original);
  const masks: Finding[] = [];
  const violations: Json[] = [];
  let passed = true;
  for (const given of call.config.checks) {
    // Lengths and JSON are of the text as it is; normalization could change both.
    const verdict = judge(
      call,
      given.type === 'max_length' || given.type === 'json_schema' ? original : text,
      given,
    );
    if (verdict === null) continue;
    const { action, type } = given;
    if (action === 'mask') masks.push(...verdict.findings);
    if (action === 'block') passed = false;
    const matches = action === 'mask' ? kindsOf(verdict.findings) : [...verdict.matches];
    violations.push({ check: type, action, score: 1, matches });
  }
  const output = { passed, text: masks.length === 0 ? original : mask(text, masks), violations };
  return { outcome: 'completed', output, handle: passed ? 'pass' : 'fail' };
}

/** Blocks by taking the handle `fail`; the engine fails the node where no edge uses it. */
export const guardrails = defineNode<Config>({
  type: 'guardrails',
  literalKeys: ['checks', 'on_check_error'],
  parse(given) {
    const unavailable = modelChecks(given);
    return unavailable.length > 0 ? { problems: unavailable } : readConfig(config, given);
  },
  policy: () => ({
    placement: 'fold',
    effect: 'pure',
    timeoutMs: 5_000,
    maxAttempts: 1,
    handles: ['pass', 'fail'],
  }),
  run,
});
