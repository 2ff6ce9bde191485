/**
 * Guardrails: checks of a text that let it pass, mask parts of it or block it (SPEC DEF-2.8). Local checks are pure; a
 * model is asked only about what they let pass, and sees the text as they have masked it.
 */
import { z } from 'zod';
import { cutText } from '../../graph/cut-text.ts';
import { checkSchema } from '../../graph/json-schema.ts';
import { readForeignJson } from '../../graph/storable.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import type { Finding } from './detect.ts';
import { PII_ENTITIES, findKeywords, findPii, findSecrets, findUrls, mask } from './detect.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import { NodeError, defineNode } from '../kind.ts';
import { sumUsage } from '../model-call.ts';
import { isModelCheck, judgeByModel, modelChecks } from './model-checks.ts';
import type { ModelCheck } from './model-checks.ts';
import { patternProblem } from '../pattern.ts';
import { addProblem, anyJson, jsonSchema, orNull, readConfig } from '../read-config.ts';
import { nextTurn } from '../turn.ts';

/** Input of one check: patterns run over it in the process of the worker. */
export const MAX_INPUT_BYTES = 256 * 1024;
const MAX_FINDINGS = 1_000;
const MAX_SHOWN = 20;

const anyAction = z.enum(['block', 'mask', 'flag']).default('block');
/** Checks that find no place in the text cannot mask one. */
const noMask = z.enum(['block', 'flag']).default('block');

/** One entry of `checks`. */
export const guardrailCheck = z
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
    z.object({ type: z.literal('json_schema'), schema: jsonSchema, action: noMask }),
    z.object({ type: z.literal('max_length'), max: z.int().min(0), action: noMask }),
    ...modelChecks,
  ])
  .superRefine((given, ctx) => {
    if (given.type !== 'regex') return;
    const problem = patternProblem(given.pattern);
    if (problem !== null) addProblem(ctx, { code: 'invalid_pattern', message: problem, path: ['pattern'] });
    if (given.expect === 'match' && given.action === 'mask') {
      addProblem(ctx, {
        code: 'invalid_config',
        message: 'what does not match cannot be masked',
        path: ['action'],
      });
    }
  });
type Check = Exclude<z.output<typeof guardrailCheck>, ModelCheck>;

const config = z
  .object({
    input: anyJson,
    /** What the text has to be grounded in. */
    context: anyJson.nullish(),
    checks: z.array(guardrailCheck).max(50),
    // A check that could not run is not a pass: the node fails.
    on_check_error: z.literal('fail').default('fail'),
    // Who judges, where a check needs a model.
    provider: orNull(z.string().min(1)),
    model: orNull(z.string().min(1)),
    credential_id: orNull(z.uuid()),
  })
  .superRefine((given, ctx) => {
    if (!given.checks.some(isModelCheck)) return;
    for (const key of ['provider', 'model'] as const) {
      if (given[key] === null)
        addProblem(ctx, {
          code: 'invalid_config',
          message: 'is required for checks that a model makes',
          path: [key],
        });
    }
    const needsContext = given.checks.some(
      (one) => one.type === 'grounding' && one.knowledge_base_ids === undefined,
    );
    if (needsContext && (given.context ?? null) === null)
      addProblem(ctx, {
        code: 'invalid_config',
        message: 'is required for the check grounding without knowledge_base_ids',
        path: ['context'],
      });
  });
type Config = z.output<typeof config>;

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
  [...new Set(findings.map(({ start, end }) => cutText(text.slice(start, end), 100)))].slice(0, MAX_SHOWN);

function checkJson(call: NodeCall<Config>, text: string, schema: JsonObject): Verdict | null {
  let value: Json;
  try {
    value = readForeignJson(text);
  } catch {
    return { findings: [], matches: ['not JSON'] };
  }
  const issues = checkSchema(schema, value, call.patterns);
  if (issues.length === 0) return null;
  return {
    findings: [],
    matches: issues.slice(0, MAX_SHOWN).map(({ path, message }) => `/${path.join('/')}: ${message}`),
  };
}

async function checkRegex(
  { patterns }: NodeCall<Config>,
  text: string,
  given: Extract<Check, { type: 'regex' }>,
): Promise<Verdict | null> {
  const present = patterns.matches(given.pattern, text);
  if (present === (given.expect === 'match')) return null;
  if (given.expect === 'match') return { findings: [], matches: [] };
  const places = await patterns.findAll(given.pattern, text, MAX_FINDINGS);
  const findings = places.map(([start, end]) => ({ start, end, label: 'MASKED' }));
  return { findings, matches: quoted(text, findings) };
}

/** What one check says about the text; null: nothing. @throws WorkLimitExceeded */
function judge(call: NodeCall<Config>, text: string, given: Check): Verdict | null | Promise<Verdict | null> {
  const searched = { text, work: call.patterns.work };
  const found = (findings: readonly Finding[], show: (of: readonly Finding[]) => string[]): Verdict | null =>
    findings.length === 0 ? null : { findings, matches: show(findings) };
  switch (given.type) {
    case 'pii':
      return found(findPii(searched, given.entities), kindsOf);
    case 'secret_keys':
      return found(findSecrets(searched), kindsOf);
    case 'keywords':
      return found(findKeywords(searched, given.keywords, given.case_sensitive), (of) => quoted(text, of));
    case 'urls': {
      const rules = {
        hosts: given.allowed_hosts,
        schemes: given.allowed_schemes,
        allowSubdomains: given.allow_subdomains,
      };
      return found(findUrls(searched, rules), (of) => quoted(text, of));
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

interface Screened {
  readonly passed: boolean;
  readonly text: string;
  readonly violations: readonly JsonObject[];
}

/** What the local checks make of the text. @throws NodeError `input_too_large` @throws WorkLimitExceeded */
async function screen(call: NodeCall<Config>): Promise<Screened> {
  const { work } = call.patterns;
  const rendered = call.render(call.config.input);
  const original =
    typeof rendered === 'string' ? rendered : rendered === null ? '' : JSON.stringify(rendered);
  if (Buffer.byteLength(original) > MAX_INPUT_BYTES) {
    throw new NodeError('input_too_large', 'The text to check is larger than 256 kB');
  }
  work.spend(original.length);
  const text = normalize(original);
  const masks: Finding[] = [];
  const violations: JsonObject[] = [];
  let passed = true;
  for (const given of call.config.checks) {
    if (isModelCheck(given)) continue;
    // Lengths and JSON are of the text as it is; normalization could change both.
    const isOfOriginal = given.type === 'max_length' || given.type === 'json_schema';
    const verdict = await judge(call, isOfOriginal ? original : text, given);
    if (work.isTurnOver) await nextTurn(work);
    if (verdict === null) continue;
    const { action, type } = given;
    if (action === 'mask') masks.push(...verdict.findings);
    if (action === 'block') passed = false;
    const matches = action === 'mask' ? kindsOf(verdict.findings) : [...verdict.matches];
    violations.push({ check: type, action, score: 1, matches });
  }
  return { passed, text: masks.length === 0 ? original : mask(text, masks), violations };
}

/** The checks that need a model, all at once. A text that is blocked already is shown to nobody. */
async function judgeAll(
  call: NodeCall<Config>,
  checks: readonly ModelCheck[],
  screened: Screened,
): Promise<NodeResult> {
  const { provider, model, credential_id: credentialId, context } = call.config;
  const by = { provider: provider ?? '', model: model ?? '', credentialId };
  const about = { text: screened.text, context: call.render(context ?? null) };
  // What was asked is waited for, also when another one fails: it is paid for.
  const ends = await Promise.allSettled(
    checks.map((one) => judgeByModel(call, { judge: by, check: one }, about)),
  );
  const all = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  const violated = all.filter(({ isViolated }) => isViolated);
  const found = violated.map(({ check: { type, action }, score, reason }) => ({
    check: type,
    action,
    score,
    matches: reason === '' ? [] : [reason],
  }));
  const passed = !violated.some(({ check: { action } }) => action === 'block');
  const usage = all.map((one) => one.usage).reduce(sumUsage);
  return { ...resultOf({ ...screened, passed, violations: [...screened.violations, ...found] }), usage };
}

function resultOf({ passed, text, violations }: Screened): Extract<NodeResult, { outcome: 'completed' }> {
  const output = { passed, text, violations: [...violations] };
  return { outcome: 'completed', output, handle: passed ? 'pass' : 'fail' };
}

async function run(call: NodeCall<Config>): Promise<NodeResult> {
  const screened = await screen(call);
  const checks = call.config.checks.filter(isModelCheck);
  if (checks.length === 0 || !screened.passed) return resultOf(screened);
  return judgeAll(call, checks, screened);
}

/** Blocks by taking the handle `fail`; the engine fails the node where no edge uses it. */
export const guardrails = defineNode<Config>({
  type: 'guardrails',
  config,
  literalKeys: ['checks', 'on_check_error', 'provider', 'model', 'credential_id'],
  parse: (given) => readConfig(config, given),
  policy: ({ checks }) => {
    const handles = ['pass', 'fail'];
    return checks.some(isModelCheck)
      ? { placement: 'activity', effect: 'at_least_once', timeoutMs: 120_000, maxAttempts: 3, handles }
      : { placement: 'fold', effect: 'pure', timeoutMs: 5_000, maxAttempts: 1, handles };
  },
  run,
});
