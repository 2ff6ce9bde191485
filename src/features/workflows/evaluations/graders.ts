/** Graders: what decides whether the output of a trial is right. A judging model is asked apart (judge.ts). */
import { z } from 'zod';
import { FilterError } from '../../../language/graph/filters/filter.ts';
import { checkSchema } from '../../../language/graph/schema/json-schema.ts';
import { createScope, findTemplateProblem } from '../../../language/graph/template/given-values.ts';
import { RenderBudget, RenderTooLarge } from '../../../language/graph/template/render-budget.ts';
import { evaluateRules, readRules } from '../../../language/graph/template/rules.ts';
import { render } from '../../../language/graph/template/template.ts';
import { TemplateError } from '../../../language/graph/template/template-scanner.ts';
import { cutText } from '../../../language/graph/values/cut-text.ts';
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { sameJson, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { REQUEST_WORK, WorkBudget, WorkLimitExceeded } from '../../../language/graph/values/work-budget.ts';
import { PatternSearch, type Patterns } from '../../../language/nodes/pattern.ts';
import { discriminator, jsonSchema, ruleGroup } from '../../../language/nodes/read-config.ts';
import { json, uuid } from '../../../platform/http/wire.ts';

/** Roots of the templates in a rule. */
const ROOTS = ['input', 'expected', 'output'] as const;
/** Characters of a rule or a schema as JSON. */
const MAX_GRADER = 32_768;
const MAX_GRADERS = 10;
const MAX_REASON = 500;

function findRuleProblem(value: unknown): string | null {
  const problem = ruleGroup.safeParse(value).error?.issues[0];
  if (problem !== undefined) return problem.message;
  if (JSON.stringify(value).length > MAX_GRADER) return `A rule has at most ${MAX_GRADER} characters as JSON`;
  return findTemplateProblem(value as Json, ROOTS);
}

function findSchemaProblem(value: unknown): string | null {
  const problem = jsonSchema.safeParse(value).error?.issues[0];
  if (problem !== undefined) return problem.message;
  return JSON.stringify(value).length > MAX_GRADER
    ? `A schema has at most ${MAX_GRADER} characters as JSON`
    : null;
}

/** A JSON value of the language, checked by its own reader. */
const checkedJson = (description: string, find: (value: unknown) => string | null) =>
  json
    .superRefine((value, ctx) => {
      const message = find(value);
      if (message !== null) ctx.addIssue({ code: 'custom', message, params: { type: 'grader_invalid' } });
    })
    .meta({ override: { $ref: '#/components/schemas/Json' }, description });

const ruleGrader = z
  .object({
    kind: discriminator('rule'),
    when: checkedJson(
      'Rules of the definition language over `input`, `expected` and `output`; all must hold',
      findRuleProblem,
    ),
  })
  .meta({ id: 'RuleGrader' });
const schemaGrader = z
  .object({
    kind: discriminator('schema'),
    schema: checkedJson('A JSON Schema that the output matches', findSchemaProblem),
  })
  .meta({ id: 'SchemaGrader' });
const equalGrader = z
  .object({
    kind: discriminator('equal'),
    path: z
      .string()
      .max(1_000)
      .regex(/^(?:\/[^/]*)*$/, 'Must be a JSON pointer')
      .default('')
      .meta({ description: 'JSON pointer into the output and the expected output, which are equal there' }),
  })
  .meta({ id: 'EqualGrader' });
const judgeGrader = z
  .object({
    kind: discriminator('judge'),
    rubric: z.string().min(1).max(20_000).meta({ description: 'What makes an output good, for the model' }),
    provider: z.string().min(1).max(100).meta({ description: 'Name of the model provider' }),
    model: z.string().min(1).max(256).meta({ description: "Name of the model, in the provider's spelling" }),
    credential_id: uuid
      .nullish()
      .meta({ description: 'Id of the credential of the model; null: the managed model' }),
    at_least: z
      .number()
      .min(0)
      .max(1)
      .default(0.7)
      .meta({ description: 'Score from 0 to 1 with which an output passes' }),
  })
  .meta({ id: 'JudgeGrader' });
const grader = z
  .discriminatedUnion('kind', [ruleGrader, schemaGrader, equalGrader, judgeGrader])
  .meta({ id: 'Grader' });

export type Grader = z.output<typeof grader>;
export type JudgeGrader = z.output<typeof judgeGrader>;

export const graderList = z
  .array(grader)
  .min(1)
  .max(MAX_GRADERS)
  .superRefine((list, ctx) => {
    if (list.filter(({ kind }) => kind === 'judge').length > 1)
      ctx.addIssue({
        code: 'custom',
        message: 'An evaluation has one judging model',
        params: { type: 'grader_invalid' },
      });
  })
  .meta({ description: 'What decides whether an output is right; a trial passes when all of them do' });

/** The values that graders read. */
export interface Graded {
  readonly input: JsonObject;
  /** Null: none. */
  readonly expected: Json;
  readonly output: Json;
}

/** The grade of an output by one grader. */
export interface Grade {
  /** The index of the grader. */
  readonly grader: number;
  /** Null: it cannot tell. */
  readonly passed: boolean | null;
  /** Of a judging model, from 0 to 1. */
  readonly score: number | null;
  readonly reason: string | null;
}

interface Said {
  readonly passed: boolean | null;
  readonly reason: string | null;
}

const cannotTell = (reason: string): Said => ({ passed: null, reason });
const PASSED: Said = { passed: true, reason: null };

const isFailureOfLanguage = (error: unknown): error is Error =>
  error instanceof TemplateError ||
  error instanceof FilterError ||
  error instanceof RenderTooLarge ||
  error instanceof WorkLimitExceeded;

function applyGrader(given: Exclude<Grader, JudgeGrader>, graded: Graded, patterns: Patterns): Said {
  const work = new WorkBudget(REQUEST_WORK);
  const engine = new PatternSearch(patterns, work);
  if (given.kind === 'rule') {
    const read = readRules(given.when);
    if (!('rules' in read)) return cannotTell('The rule cannot be read');
    const scope = createScope({ ...graded }, new RenderBudget(work));
    const holds = evaluateRules(read.rules, (side) => render(side, scope), engine);
    return holds ? PASSED : { passed: false, reason: 'The rule does not hold' };
  }
  if (given.kind === 'schema') {
    const [issue] = checkSchema(given.schema, graded.output, engine);
    return issue === undefined
      ? PASSED
      : { passed: false, reason: `/${issue.path.join('/')}: ${issue.message}` };
  }
  if (graded.expected === null) return cannotTell('The case has no expected output');
  const tokens = parsePointer(given.path);
  const [output, expected] = [graded.output, graded.expected].map((value) => getAt(value, tokens) ?? null);
  if (sameJson(output ?? null, expected ?? null, work)) return PASSED;
  return { passed: false, reason: `${JSON.stringify(output)}, not ${JSON.stringify(expected)}` };
}

/** Grades an output by all graders but a judging model. Never throws for what tenants write. */
export function gradeOutput(graders: readonly Grader[], graded: Graded, patterns: Patterns): Grade[] {
  return graders.flatMap((given, index): Grade[] => {
    if (given.kind === 'judge') return [];
    let said: Said;
    try {
      said = applyGrader(given, graded, patterns);
    } catch (error) {
      if (!isFailureOfLanguage(error)) throw error;
      said = cannotTell(error.message);
    }
    const { passed, reason } = said;
    return [
      { grader: index, passed, score: null, reason: reason === null ? null : cutText(reason, MAX_REASON) },
    ];
  });
}

/** Finds the judging model and its index; null: none. */
export function findJudge(
  graders: readonly Grader[],
): { readonly index: number; readonly judge: JudgeGrader } | null {
  for (const [index, judge] of graders.entries()) if (judge.kind === 'judge') return { index, judge };
  return null;
}
