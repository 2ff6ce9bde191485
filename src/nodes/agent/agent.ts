/**
 * The agent (SPEC DEF-2.3): a model that calls tools until it has its answer. The engine makes one activity of each
 * turn and one of each tool call; this file says what a turn asks and what its reply means.
 */
import { z } from 'zod';
import type { Json, JsonObject } from '../../graph/value.ts';
import { offersOf, readCall } from './offer.ts';
import type { AskedCall } from './offer.ts';
import { agentTool } from './agent-tool.ts';
import type { NodeCall, NodeWarning } from '../kind.ts';
import type { Usage, ModelReply, ModelTool, ModelTurn } from '../tools.ts';
import { NodeError, defineNode } from '../kind.ts';
import {
  MODEL_LITERAL_KEYS,
  correctionOf,
  modelFields,
  promptOf,
  readData,
  remember,
  requestOf,
  sumUsage,
  collectWarnings,
} from '../model-call.ts';
import type { Prompt } from '../model-call.ts';
import { addProblem, readConfig } from '../read-config.ts';

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
            message: 'is the name of another tool',
            path: [at, 'name'],
          });
      });
    }),
  max_iterations: z.int().min(1).max(MAX_ITERATIONS).default(10),
  max_tool_calls: z.int().min(1).max(MAX_TOOL_CALLS).default(30),
  parallel_tool_calls: z.boolean().default(true),
});
export type AgentConfig = z.output<typeof config>;

/** What the first turn fixed for all that follow: what the model is asked, and with which tools. */
export interface Opening extends Prompt {
  readonly tools: readonly ModelTool[];
}
export interface PastTurn extends ModelTurn {
  readonly usage: Usage;
  /** A call of it could not be read. */
  readonly hasRefusal: boolean;
}
export interface AgentPast {
  /** Null before the first turn. */
  readonly opening: Opening | null;
  readonly turns: readonly PastTurn[];
  /** The calls so far, as the output lists them. */
  readonly toolCalls: readonly JsonObject[];
}

export type AgentReply = {
  readonly opening: Opening;
  /** Of this turn alone. */
  readonly usage: Usage;
} & (
  | {
      readonly kind: 'goes_on';
      readonly content: string;
      readonly correction: string | null;
      readonly calls: readonly AskedCall[];
    }
  | { readonly kind: 'final'; readonly output: JsonObject; readonly warnings: readonly NodeWarning[] }
);

/** The first tool that must be called and has not been. */
function forcedTool({ tools }: AgentConfig, past: AgentPast): string | null {
  const called = new Set(past.turns.flatMap(({ calls }) => calls.map(({ name }) => name)));
  return tools.find(({ usage, name }) => usage === 'force' && !called.has(name))?.name ?? null;
}

type Limit = 'max_iterations' | 'max_tool_calls';

/** The limit that makes the next turn the last: its calls would be too many, or nobody would read their results. */
function limitOf(given: AgentConfig, past: AgentPast): Limit | null {
  if (past.turns.length + 1 >= given.max_iterations) return 'max_iterations';
  return past.toolCalls.length >= given.max_tool_calls ? 'max_tool_calls' : null;
}

const LAST_TURN = 'No tool can be called any more. Answer now, with what you know.';

/** The turns so far as the model of the last turn is told of them. */
const toldLast = (turns: readonly PastTurn[]): PastTurn[] =>
  turns.map((turn, at) =>
    at < turns.length - 1 ? turn : { ...turn, correction: turn.correction ?? LAST_TURN },
  );

async function endWith(
  call: NodeCall<AgentConfig>,
  past: AgentPast,
  end: {
    readonly opening: Opening;
    readonly reply: ModelReply;
    readonly data: Json;
    /** The limit that took the model's tools away; null: it had them. */
    readonly limit: Limit | null;
  },
): Promise<AgentReply> {
  const { opening, reply, limit } = end;
  if (reply.content !== '') await remember(call, opening.own, reply.content);
  const total = past.turns.reduce((sum, { usage }) => sumUsage(sum, usage), reply.usage);
  const output = {
    content: reply.content,
    data: end.data,
    tool_calls: [...past.toolCalls],
    iterations: past.turns.length + 1,
    stop_reason: limit ?? 'final',
    usage: { ...total, cached_tokens: total.cached_tokens ?? 0 },
  };
  const warnings = collectWarnings(reply);
  if (limit !== null) {
    const message = `The agent has reached ${limit} (${call.config[limit]}): its last answer was made without tools`;
    warnings.push({ code: limit, message });
  }
  return { kind: 'final', opening, usage: reply.usage, output, warnings };
}

/**
 * Takes one turn: one call of the model. The last one is offered no tools, so that it ends with an answer.
 * @throws NodeError `invalid_tool_call` for the second turn with calls that cannot be read, `tool_not_called` for an answer
 *   that ignores a forced tool, `output_schema_mismatch`, `model_refused`, and what the ports throw
 */
export async function takeTurn(call: NodeCall<AgentConfig>, past: AgentPast): Promise<AgentReply> {
  const given = call.config;
  const opening = past.opening ?? {
    ...(await promptOf(call)),
    tools: await offersOf(call, given.tools),
  };
  const limit = limitOf(given, past);
  const force = forcedTool(given, past);
  if (force !== null && limit !== null) {
    const message = `The agent has reached ${limit} without having called ${force}, as it had to`;
    throw new NodeError('tool_not_called', message);
  }
  const reply = await call.tools.models.complete({
    ...requestOf(call, opening.messages),
    turns: limit === null ? past.turns : toldLast(past.turns),
    offer: { tools: opening.tools, force, parallel: given.parallel_tool_calls, isClosed: limit !== null },
  });
  const asked = reply.toolCalls ?? [];
  if (asked.length > 0 && limit === null) return goOnWith(call, past, { opening, reply });
  // Not every provider and model keeps to `tool_choice`: what the tool was to do has not happened.
  if (force !== null)
    throw new NodeError('tool_not_called', `The model answered without calling ${force}, as it had to`);
  const read = readData(call, reply);
  if ('data' in read) {
    const isStopped = opening.tools.length > 0 || asked.length > 0;
    return endWith(call, past, { opening, reply, data: read.data, limit: isStopped ? limit : null });
  }
  const isRepaired = past.turns.some(({ correction }) => correction !== null);
  if (isRepaired || limit === 'max_iterations') {
    throw new NodeError('output_schema_mismatch', `The answer of the model is not usable: ${read.problem}`);
  }
  const correction = correctionOf(given, read.problem);
  const { content, usage } = reply;
  return { kind: 'goes_on', opening, usage, content, correction, calls: [] };
}

/** The calls of a reply, as many as may still be made: the model hears of no others. */
function goOnWith(
  call: NodeCall<AgentConfig>,
  past: AgentPast,
  { opening, reply }: { readonly opening: Opening; readonly reply: ModelReply },
): AgentReply {
  const left = call.config.max_tool_calls - past.toolCalls.length;
  const calls = (reply.toolCalls ?? []).slice(0, left).map((one) => readCall(call, one, opening.tools));
  const refused = calls.find(({ refusal }) => refusal !== null);
  if (refused !== undefined && past.turns.some(({ hasRefusal }) => hasRefusal)) {
    const message = `The model called ${refused.name} wrongly again: ${refused.refusal}`;
    throw new NodeError('invalid_tool_call', message);
  }
  const { content, usage } = reply;
  return { kind: 'goes_on', opening, usage, content, correction: null, calls };
}

/** Runs turn by turn in the engine: it has no single piece of work. */
export const agent = defineNode<AgentConfig>({
  type: 'agent',
  config,
  literalKeys: MODEL_LITERAL_KEYS,
  parse: (given) => readConfig(config, given),
  policy: ({ tools }) => ({
    placement: 'agent',
    asks: tools.some(({ approval }) => approval !== null),
    effect: 'at_least_once',
    timeoutMs: 600_000,
    maxAttempts: 3,
    handles: [],
  }),
  run: () => {
    throw new NodeError('internal_error', 'An agent is run turn by turn');
  },
});
