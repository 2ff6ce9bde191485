/**
 * The node of the Composer: parses a workflow definition from a model's answer and saves it. Problems go back to the model for
 * another round. Only the service's own workflows have this node.
 */
import { z } from 'zod';
import { cutText } from '../graph/values/cut-text.ts';
import { keepDigits } from '../graph/values/exact-json.ts';
import {
  isDeeperThan,
  findForbiddenKey,
  isObject,
  type Json,
  type JsonObject,
} from '../graph/values/value.ts';
import type { NodeCall, NodeResult } from './kind.ts';
import { NodeError, defineNode } from './kind.ts';
import { parseJsonAnswer } from './model-answer.ts';
import { anyJson, readConfig } from './read-config.ts';
import type { Composition } from './tools.ts';

/** As for definitions that clients send. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_SUMMARY = 4_000;

const config = z.object({
  /** The model's answer. */
  answer: anyJson,
  /** The workflow that the model was shown; all null for a new one. */
  workflow_id: anyJson,
  edit_version: anyJson,
  definition: anyJson,
  /** Earlier rounds, and the maximum of rounds. */
  round: anyJson,
  rounds: z.int().min(1).max(10),
  /** Whether the definition is returned and not saved. Runs from before this option do not have it. */
  propose: anyJson.optional(),
});
type Config = z.output<typeof config>;

interface Answer {
  readonly summary: string;
  /** Null: the answer is only text. */
  readonly definition: JsonObject | null;
}

/** Parses the JSON of an answer; undefined when it has none. */
function parseAnswer(text: string): Json | undefined {
  try {
    return parseJsonAnswer(text, (piece) => {
      const value = JSON.parse(piece) as Json;
      return isDeeperThan(value, MAX_DEPTH) ? value : keepDigits(piece, value).value;
    });
  } catch {
    return undefined;
  }
}

/** NUL and lone surrogates as JSON escapes: PostgreSQL rejects them. */
const UNSTORABLE = /\\u0000|\\ud[89a-f][0-9a-f]{2}/i;

function findProblem(value: JsonObject): string | null {
  if (isDeeperThan(value, MAX_DEPTH)) return `it is nested deeper than ${MAX_DEPTH} levels`;
  const forbidden = findForbiddenKey(value);
  if (forbidden !== null) return `the key ${forbidden} is not allowed`;
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > MAX_BYTES) return 'it is larger than 4 MiB';
  return UNSTORABLE.test(text) ? 'it has NUL characters, or halves of characters' : null;
}

/** Reads the summary and the definition of an answer, or its problem. */
function readAnswer(text: string): Answer | { readonly problem: string } {
  const value = parseAnswer(text);
  if (!isObject(value)) return { problem: 'it is not a JSON object' };
  const problem = findProblem(value);
  if (problem !== null) return { problem };
  const { summary, workflow_schema: wrapped } = value;
  const said = typeof summary === 'string' ? cutText(summary, MAX_SUMMARY) : '';
  // Some models answer with only the definition.
  const definition = wrapped === undefined && Array.isArray(value['nodes']) ? value : wrapped;
  if (isObject(definition)) return { summary: said, definition };
  if (said !== '' && (definition === null || definition === undefined))
    return { summary: said, definition: null };
  return { problem: 'workflow_schema must be an object' };
}

function readBase(call: NodeCall<Config>): Composition['base'] {
  const workflowId = call.render(call.config.workflow_id);
  const editVersion = call.render(call.config.edit_version);
  const definition = call.render(call.config.definition);
  if (workflowId === null) return null;
  if (typeof workflowId !== 'string' || typeof editVersion !== 'number' || !isObject(definition)) {
    throw new NodeError('invalid_input', 'The workflow to edit is unknown');
  }
  return { workflowId, editVersion, definition };
}

/** Sends the problems back to the model; fails the node after the last round. */
function sendBack(call: NodeCall<Config>, problems: readonly string[]): NodeResult {
  const { round, rounds } = call.config;
  const list = problems.map((problem) => `- ${problem}`).join('\n');
  if (Number(call.render(round)) + 1 >= rounds) {
    const message = `The model did not produce a valid workflow in ${rounds} attempts. Last errors:\n${list}`;
    throw new NodeError('composition_invalid', message);
  }
  const feedback = `\n\nYour last answer could not be used and nothing was saved:\n${list}\nAnswer again, whole.`;
  return {
    outcome: 'completed',
    handle: 'again',
    output: { saved: false, problems: [...problems], feedback },
  };
}

async function run(call: NodeCall<Config>): Promise<NodeResult> {
  const answer = call.render(call.config.answer);
  const read = readAnswer(typeof answer === 'string' ? answer : JSON.stringify(answer));
  if ('problem' in read) return sendBack(call, [`The answer: ${read.problem}`]);
  const base = readBase(call);
  const done = (output: JsonObject): NodeResult => ({ outcome: 'completed', handle: 'done', output });
  if (read.definition === null) {
    return done({
      saved: false,
      content: read.summary,
      workflow_id: base?.workflowId ?? null,
      edit_version: base?.editVersion ?? null,
    });
  }
  const { organizationId, createdBy: userId, threadId, stepId } = call.identity;
  const { definition } = read;
  const outcome = await call.tools.compositions.save({
    organizationId,
    userId,
    threadId,
    stepId,
    base,
    definition,
    isProposal: base !== null && call.render(call.config.propose ?? false) === true,
  });
  if (outcome.kind === 'invalid') return sendBack(call, outcome.problems);
  if (outcome.kind === 'proposed')
    return done({
      saved: false,
      content: read.summary === '' ? 'Proposed' : read.summary,
      workflow_id: base?.workflowId ?? null,
      edit_version: base?.editVersion ?? null,
      base: base?.definition ?? null,
      proposal: outcome.definition,
    });
  const { workflowId, editVersion } = outcome;
  return done({
    saved: true,
    content: read.summary === '' ? 'Saved' : read.summary,
    workflow_id: workflowId,
    edit_version: editVersion,
  });
}

/** The kind `composer`. A repeated attempt saves only once, because the port knows the step. */
export const composer = defineNode<Config>({
  type: 'composer',
  config,
  examples: [],
  literalKeys: [],
  parse: (given) => readConfig(config, given),
  policy: () => ({
    placement: 'activity',
    effect: 'idempotent',
    timeoutMs: 60_000,
    maxAttempts: 3,
    handles: ['done', 'again'],
  }),
  run,
});
