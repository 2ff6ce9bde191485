/**
 * The agent (SPEC DEF-2.3): a model that calls tools until it answers. The engine runs each turn and each tool call as an
 * activity; this file makes the request of a turn and reads its reply.
 */
import { z } from 'zod';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { describeCallable, listOffers, readCall } from './offer.ts';
import type { RequestedCall } from './offer.ts';
import { agentTool } from './agent-tool.ts';
import type { PreparedEffect } from '../effect.ts';
import type { NodeCall, NodeWarning, PrepareCall } from '../kind.ts';
import type { Usage, ModelReply, ModelTool, ModelTurn } from '../tools.ts';
import { NodeError, defineNode } from '../kind.ts';
import {
  MODEL_LITERAL_KEYS,
  MODEL_SCHEMA_PATHS,
  describeCorrection,
  modelFields,
  buildPrompt,
  readData,
  appendToMemory,
  describeModel,
  performModelCall,
  prepareModelCall,
  sumUsage,
  collectWarnings,
  findCut,
} from '../model-call.ts';
import type { Prompt } from '../model-call.ts';
import { addProblem, readConfig } from '../read-config.ts';
import { KNOWLEDGE_BASE, WORKFLOW, MODEL, ask } from '../example-values.ts';

/** SPEC SEC-L04. */
export const MAX_ITERATIONS = 25;
export const MAX_TOOL_CALLS = 64;
const MAX_TOOLS = 64;

const config = z.object({
  ...modelFields,
  tools: z
    .array(agentTool)
    .max(MAX_TOOLS)
    .nullish()
    .transform((tools) => tools ?? [])
    .superRefine((tools, ctx) => {
      tools.forEach(({ name }, at) => {
        if (tools.findIndex((tool) => tool.name === name) < at)
          addProblem(ctx, {
            code: 'duplicate_tool_name',
            message: 'is already the name of another tool',
            path: [at, 'name'],
          });
      });
    })
    .meta({ description: 'Tools that the model may call; null: none' }),
  max_iterations: z
    .int()
    .min(1)
    .max(MAX_ITERATIONS)
    .default(10)
    .meta({ description: 'Maximum number of model calls' }),
  max_tool_calls: z
    .int()
    .min(1)
    .max(MAX_TOOL_CALLS)
    .default(30)
    .meta({ description: 'Maximum number of tool calls in total' }),
  parallel_tool_calls: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether the model may request several tool calls in one turn' }),
});
export type AgentConfig = z.output<typeof config>;

/** The prompt and the tools, which the first turn fixes for all later ones. */
export interface Opening extends Prompt {
  readonly tools: readonly ModelTool[];
}
export interface PastTurn extends ModelTurn {
  readonly usage: Usage;
  /** The turn had a call that could not be parsed. */
  readonly hasRefusal: boolean;
}
export interface AgentHistory {
  /** Null before the first turn. */
  readonly opening: Opening | null;
  readonly turns: readonly PastTurn[];
  /** The calls so far, in the form of the output. */
  readonly toolCalls: readonly JsonObject[];
}

export type AgentReply = {
  readonly opening: Opening;
  /** Of this turn only. */
  readonly usage: Usage;
} & (
  | {
      readonly kind: 'goes_on';
      readonly content: string;
      readonly correction: string | null;
      readonly calls: readonly RequestedCall[];
    }
  | { readonly kind: 'final'; readonly output: JsonObject; readonly warnings: readonly NodeWarning[] }
);

/** The first tool with `usage: "force"` that was not called yet; null: none. */
function findForcedTool({ tools }: AgentConfig, past: AgentHistory): string | null {
  const called = new Set(past.turns.flatMap(({ calls }) => calls.map(({ name }) => name)));
  return tools.find(({ usage, name }) => usage === 'force' && !called.has(name))?.name ?? null;
}

type Limit = 'max_iterations' | 'max_tool_calls';

/** The limit that makes the next turn the last one, or null. */
function findReachedLimit(given: AgentConfig, past: AgentHistory): Limit | null {
  if (past.turns.length + 1 >= given.max_iterations) return 'max_iterations';
  return past.toolCalls.length >= given.max_tool_calls ? 'max_tool_calls' : null;
}

const LAST_TURN = 'No tool can be called any more. Answer now, with what you know.';

/** Tells the model of the last turn that it has no tools any more. */
const addLastTurnNote = (turns: readonly PastTurn[]): PastTurn[] =>
  turns.map((turn, at) =>
    at < turns.length - 1 ? turn : { ...turn, correction: turn.correction ?? LAST_TURN },
  );

/** The reason of an answer that its model has not ended as usual; null for any other. */
const findEarlyEnd = ({ finishReason }: ModelReply): string | null =>
  ['length', 'content_filter', 'refusal'].includes(finishReason) ? finishReason : null;

/** A call that may lack a part of its arguments is not made: the model reads this in place of its result. */
const CUT_CALL =
  'The answer was cut off in this call, so it was not made. Call it again, with shorter arguments';

/** Reads the calls of a reply; of one that was cut off the last call is refused, the others are whole. */
function readCalls(
  call: NodeCall<AgentConfig>,
  reply: ModelReply,
  tools: readonly ModelTool[],
): readonly RequestedCall[] {
  const requested = reply.toolCalls ?? [];
  return requested.map((one, at) => {
    const read = readCall(call, one, tools);
    const isCut = findCut(reply) !== null && at === requested.length - 1;
    return isCut ? { ...read, arguments: null, refusal: CUT_CALL } : read;
  });
}

async function finish(
  call: NodeCall<AgentConfig>,
  past: AgentHistory,
  end: {
    readonly opening: Opening;
    readonly reply: ModelReply;
    readonly data: Json;
    /** The limit that withdrew the tools; null: the model had tools. */
    readonly limit: Limit | null;
  },
): Promise<AgentReply> {
  const { opening, reply, limit } = end;
  await appendToMemory(call, opening.own, reply.content);
  const total = past.turns.reduce((sum, { usage }) => sumUsage(sum, usage), reply.usage);
  const output = {
    content: reply.content,
    data: end.data,
    tool_calls: [...past.toolCalls],
    iterations: past.turns.length + 1,
    stop_reason: findEarlyEnd(reply) ?? limit ?? 'final',
    usage: { ...total, cached_tokens: total.cached_tokens ?? 0 },
  };
  const warnings = collectWarnings(reply);
  if (limit !== null) {
    const message = `The agent has reached ${limit} (${call.config[limit]}): the last answer was generated without tools`;
    warnings.push({ code: limit, message });
  }
  return { kind: 'final', opening, usage: reply.usage, output, warnings };
}

/** Prepares the call of the model. */
function prepareTurn(
  call: PrepareCall<AgentConfig>,
  { turns }: AgentHistory,
  now: { readonly opening: Opening; readonly force: string | null; readonly isLast: boolean },
): PreparedEffect<'model'> {
  const { opening, force, isLast } = now;
  const { own, messages, tools } = opening;
  const offer = { tools, force, parallel: call.config.parallel_tool_calls, isClosed: isLast };
  return prepareModelCall(call, { own, messages, turns: isLast ? addLastTurnNote(turns) : turns, offer });
}

/**
 * Takes one turn: one call of the model. The last turn offers no tools, so that it ends with an answer.
 * @throws NodeError `invalid_tool_call` for the second turn with calls that cannot be read, `tool_not_called` for an answer
 *   that ignores a forced tool, `output_schema_mismatch`, `answer_truncated`, `model_refused`, and what the ports throw
 */
export async function takeTurn(call: NodeCall<AgentConfig>, past: AgentHistory): Promise<AgentReply> {
  const given = call.config;
  const opening = past.opening ?? {
    ...(await buildPrompt(call)),
    tools: await listOffers(call, given.tools),
  };
  call.keepInput({ messages: opening.own.map(({ role, content }) => ({ role, content })) });
  const limit = findReachedLimit(given, past);
  const force = findForcedTool(given, past);
  if (force !== null && limit !== null) {
    const message = `The agent has reached ${limit} without calling the required tool ${force}`;
    throw new NodeError('tool_not_called', message);
  }
  const effect = prepareTurn(call, past, { opening, force, isLast: limit !== null });
  const reply = await performModelCall(call, effect);
  const requested = reply.toolCalls ?? [];
  if (requested.length > 0 && limit === null) return continueWithCalls(call, past, { opening, reply });
  // Not every model respects `tool_choice`, and the effect of the forced tool must not be missing silently.
  if (force !== null)
    throw new NodeError('tool_not_called', `The model answered without calling the required tool ${force}`);
  const read = readData(call, reply);
  if ('data' in read) {
    const isStopped = opening.tools.length > 0 || requested.length > 0;
    return finish(call, past, { opening, reply, data: read.data, limit: isStopped ? limit : null });
  }
  const isRepaired = past.turns.some(({ correction }) => correction !== null);
  if (isRepaired || limit === 'max_iterations') {
    throw new NodeError('output_schema_mismatch', `The model's answer is invalid: ${read.problem}`);
  }
  const correction = describeCorrection(given, read.problem);
  const { content, usage } = reply;
  return { kind: 'goes_on', opening, usage, content, correction, calls: [] };
}

/** Continues with the calls of a reply, up to the limit; the model gets no result for the others. */
function continueWithCalls(
  call: NodeCall<AgentConfig>,
  past: AgentHistory,
  { opening, reply }: { readonly opening: Opening; readonly reply: ModelReply },
): AgentReply {
  const left = call.config.max_tool_calls - past.toolCalls.length;
  const calls = readCalls(call, reply, opening.tools).slice(0, left);
  const refused = calls.find(({ refusal }) => refusal !== null);
  if (refused !== undefined && past.turns.some(({ hasRefusal }) => hasRefusal)) {
    const message = `The model called ${refused.name} with invalid arguments again: ${refused.refusal}`;
    throw new NodeError('invalid_tool_call', message);
  }
  const { content, usage } = reply;
  return { kind: 'goes_on', opening, usage, content, correction: null, calls };
}

/** The kind `agent`. The engine runs it turn by turn (`takeTurn`), so `run` is never called. */
export const agent = defineNode<AgentConfig>({
  type: 'agent',
  config,
  examples: [
    {
      id: 'support',
      type: 'agent',
      config: {
        ...MODEL,
        ...ask('{{input.question}}'),
        tools: [
          { kind: 'knowledge', name: 'search_handbook', knowledge_base_ids: [KNOWLEDGE_BASE] },
          { kind: 'workflow', name: 'refund', workflow_id: WORKFLOW, approval: 'always' },
        ],
      },
    },
  ],
  guide:
    'as llm, and "tools": [{"kind": "http", "name": "...", "description": "...", "method": "GET", "url": "...", "input_schema": {}, "approval": "never" | "always"}]; output {content, tool_calls}.',
  literalKeys: MODEL_LITERAL_KEYS,
  responseKeys: ['tools'],
  schemaPaths: [...MODEL_SCHEMA_PATHS, ['tools', '*', 'input_schema']],
  parse: (given) => readConfig(config, given),
  policy: (given) => ({
    placement: 'agent',
    asks: given.tools.some(({ approval }) => approval !== null),
    effect: describeModel(given).effect,
    timeoutMs: 600_000,
    maxAttempts: 3,
    handles: [],
  }),
  describe: (given) => [
    describeModel(given),
    ...given.tools.flatMap(({ usage, config: called }) =>
      usage === 'none' ? [] : [describeCallable(called)],
    ),
  ],
  run: () => {
    throw new NodeError('internal_error', 'An agent is run turn by turn');
  },
});
