/**
 * Guardrails: checks that pass, mask or block a text (SPEC DEF-2.8). Local checks run first; checks by a model run only on
 * text that the local checks pass, and see it masked.
 */
import { z } from 'zod';
import { cutText } from '../../graph/values/cut-text.ts';
import { checkSchema } from '../../graph/schema/json-schema.ts';
import { parseUntrustedJson } from '../../graph/values/storable.ts';
import { ownValue, type Json, type JsonObject } from '../../graph/values/value.ts';
import { guardrailCheck, type LocalCheck } from './check.ts';
import { findKeywords, findPii, findSecrets, findUrls, maskFindings, type Finding } from './detect.ts';
import { NodeError, defineNode, type NodeCall, type NodeResult } from '../kind.ts';
import { describeModelChecks, isModelCheck, runModelChecks } from './model-checks.ts';
import { addProblem, anyJson, orNull, readConfig } from '../read-config.ts';
import { nextTurn } from '../turn.ts';
import { ABOUT_MODEL_CREDENTIAL } from '../fields.ts';
import { GUARDRAILS_EXAMPLES } from './examples.ts';

/** Limit of the input: patterns search it in the worker process. */
export const MAX_INPUT_BYTES = 256 * 1024;
const MAX_FINDINGS = 1_000;
const MAX_SHOWN = 20;

const config = z
  .object({
    input: anyJson.meta({ description: 'The text to check, or a template of it' }),
    /** The source that the text must be grounded in. */
    context: anyJson.nullish().meta({
      description:
        'The text that the input must be grounded in; null: results of searching the knowledge bases',
    }),
    checks: z
      .array(guardrailCheck)
      .max(50)
      .meta({ description: 'The checks; those by a model run last, unless the text is already blocked' }),
    // A failed check is not a pass: the node fails.
    on_check_error: z
      .literal('fail')
      .default('fail')
      .meta({ description: 'When a check cannot be executed: fails the node' }),
    // The judging model of checks by a model.
    provider: orNull(z.string().min(1)).meta({
      description: 'Provider of the model for checks; null when no check needs a model',
    }),
    model: orNull(z.string().min(1)).meta({
      description: 'Model for checks; null when no check needs a model',
    }),
    credential_id: orNull(z.uuid()).meta({ description: ABOUT_MODEL_CREDENTIAL }),
  })
  .superRefine((given, ctx) => {
    if (!given.checks.some(isModelCheck)) return;
    for (const key of ['provider', 'model'] as const) {
      if (given[key] === null)
        addProblem(ctx, {
          code: 'invalid_config',
          message: 'is required for checks by a model',
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

/** Invisible characters, which hide words from patterns (Unicode, Default_Ignorable_Code_Point). */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const normalize = (text: string): string =>
  text.normalize('NFKC').replaceAll(INVISIBLE, '').normalize('NFKC');

interface Verdict {
  readonly findings: readonly Finding[];
  /** Matches that the violation shows: labels of personal data and secrets, quotes of everything else. */
  readonly matches: readonly string[];
}

const listLabels = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.map(({ label }) => label)),
];
const quoteFindings = (text: string, findings: readonly Finding[]): string[] =>
  [...new Set(findings.map(({ start, end }) => cutText(text.slice(start, end), 100)))].slice(0, MAX_SHOWN);

function checkJson(call: NodeCall<Config>, text: string, schema: JsonObject): Verdict | null {
  let value: Json;
  try {
    value = parseUntrustedJson(text);
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
  given: Extract<LocalCheck, { type: 'regex' }>,
): Promise<Verdict | null> {
  const present = patterns.matches(given.pattern, text);
  if (present === (given.expect === 'match')) return null;
  if (given.expect === 'match') return { findings: [], matches: [] };
  const places = await patterns.findAll(given.pattern, text, MAX_FINDINGS);
  const findings = places.map(([start, end]) => ({ start, end, label: 'MASKED' }));
  return { findings, matches: quoteFindings(text, findings) };
}

/** Runs one local check; null: no violation. @throws WorkLimitExceeded */
function runLocalCheck(
  call: NodeCall<Config>,
  text: string,
  given: LocalCheck,
): Verdict | null | Promise<Verdict | null> {
  const searched = { text, work: call.patterns.work };
  const found = (findings: readonly Finding[], show: (of: readonly Finding[]) => string[]): Verdict | null =>
    findings.length === 0 ? null : { findings, matches: show(findings) };
  switch (given.type) {
    case 'pii':
      return found(findPii(searched, given.entities), listLabels);
    case 'secret_keys':
      return found(findSecrets(searched), listLabels);
    case 'keywords':
      return found(findKeywords(searched, given.keywords, given.case_sensitive), (of) =>
        quoteFindings(text, of),
      );
    case 'urls': {
      const rules = {
        hosts: given.allowed_hosts,
        schemes: given.allowed_schemes,
        allowSubdomains: given.allow_subdomains,
      };
      return found(findUrls(searched, rules), (of) => quoteFindings(text, of));
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

interface CheckedText {
  readonly passed: boolean;
  readonly text: string;
  readonly violations: readonly JsonObject[];
}

/** Renders the text and runs the local checks. @throws NodeError `input_too_large` @throws WorkLimitExceeded */
async function runLocalChecks(call: NodeCall<Config>): Promise<CheckedText> {
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
    // These checks need the original text: normalization could change lengths and JSON.
    const isOfOriginal = given.type === 'max_length' || given.type === 'json_schema';
    const verdict = await runLocalCheck(call, isOfOriginal ? original : text, given);
    if (work.isTurnOver) await nextTurn(work);
    if (verdict === null) continue;
    const { action, type } = given;
    if (action === 'mask') masks.push(...verdict.findings);
    if (action === 'block') passed = false;
    const matches = action === 'mask' ? listLabels(verdict.findings) : [...verdict.matches];
    violations.push({ check: type, action, score: 1, matches });
  }
  return { passed, text: masks.length === 0 ? original : maskFindings(text, masks), violations };
}

function toResult({ passed, text, violations }: CheckedText): Extract<NodeResult, { outcome: 'completed' }> {
  const output = { passed, text, violations: [...violations] };
  return { outcome: 'completed', output, handle: passed ? 'pass' : 'fail' };
}

async function run(call: NodeCall<Config>): Promise<NodeResult> {
  const screened = await runLocalChecks(call);
  if (!screened.passed || !call.config.checks.some(isModelCheck)) return toResult(screened);
  const about = { text: screened.text, context: call.render(call.config.context ?? null) };
  const { passed, violations, usage } = await runModelChecks(call, about);
  return { ...toResult({ ...screened, passed, violations: [...screened.violations, ...violations] }), usage };
}

/** The kind `guardrails`. A block selects the handle `fail`; without such an edge the engine fails the node. */
export const guardrails = defineNode<Config>({
  type: 'guardrails',
  config,
  examples: GUARDRAILS_EXAMPLES,
  guide:
    '{"input": "{{input.text}}", "checks": [{"type": "pii", "action": "mask"}]}; handles pass and fail; output {passed, text, violations}.',
  schemaPaths: [['checks', '*', 'schema']],
  literalKeys: ['checks', 'on_check_error', 'provider', 'model', 'credential_id'],
  parse: (given) => readConfig(config, given),
  policy: (given) => {
    const handles = ['pass', 'fail'];
    const [asked] = describeModelChecks(given);
    return asked === undefined
      ? { placement: 'fold', effect: 'pure', timeoutMs: 5_000, maxAttempts: 1, handles }
      : { placement: 'activity', effect: asked.effect, timeoutMs: 120_000, maxAttempts: 3, handles };
  },
  describe: describeModelChecks,
  selectHandle: (output) => (ownValue(output, 'passed') === false ? 'fail' : 'pass'),
  run,
});
