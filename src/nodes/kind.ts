/**
 * What a kind of node is. A kind knows its config and its work; it knows nothing of Temporal, of the database or of
 * the other nodes. Clients of the outside world arrive through `NodeCall.tools`, so the API can ask a kind about a
 * config without loading any of them.
 */
import type { z } from 'zod';
import type { NodeType, Problem, RuleGroup } from '../graph/definition.ts';
import type { NodePolicy } from '../graph/plan.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import type { PatternSearch } from './pattern.ts';
import type { NodeTools, Usage } from './tools.ts';

export interface NodeKind<Config = unknown> {
  readonly type: NodeType;
  /** What `parse` reads a config with: the OpenAPI document shows it. */
  readonly config: z.ZodType;
  /** Reads a config; the problems name the field (`path` is relative to the config). Never throws. */
  parse(config: JsonObject): { readonly config: Config } | { readonly problems: readonly KindProblem[] };
  policy(config: Config): NodePolicy;
  /** Top-level config keys whose strings are not templates (source code, schemas, patterns). */
  readonly literalKeys: readonly string[];
  /** Top-level config keys that are rendered per item and may use the roots `item` and `index`. */
  readonly itemKeys?: readonly string[];
  /**
   * Does the work. Throws NodeError, RenderTooLarge or WorkLimitExceeded; anything else thrown is a bug and fails the node as
   * `internal_error`.
   */
  run(call: NodeCall<Config>): Promise<NodeResult> | NodeResult;
}

export type KindProblem = Pick<Problem, 'code' | 'message'> & { readonly path: readonly (string | number)[] };

/** Ties a config type to its kind and forgets it, so that kinds of different configs fit one list. */
export function defineNode<Config>(kind: NodeKind<Config>): NodeKind {
  return kind as NodeKind;
}

/** Who and what this execution of a node is. */
export interface NodeIdentity {
  readonly organizationId: string;
  readonly runId: string;
  readonly runPk: string;
  readonly rootRunPk: string;
  readonly threadId: string | null;
  readonly createdBy: string | null;
  readonly nodeId: string;
  readonly stepId: string;
  readonly attempt: number;
  /** The same on every attempt of one execution of the node: `${root_run_pk}:${node_id}:${visit}[:${item}]`. */
  readonly idempotencyKey: string;
}

export interface NodeCall<Config> {
  readonly config: Config;
  readonly identity: NodeIdentity;
  /** Renders every template in a value, keeping types (definition, templates 3 and 4). `extra` adds roots. */
  render(value: Json, extra?: Readonly<Record<string, Json>>): Json;
  /** Renders to text; `encode` is applied to each inserted value, not to the literal parts. */
  renderText(template: string, encode?: (inserted: string) => string): string;
  /** Evaluates a rule group over rendered sides. */
  evaluate(rules: RuleGroup, extra?: Readonly<Record<string, Json>>): boolean;
  /** Searches of patterns; they, renders, rules and what the kind itself spends count against one budget, `patterns.work`. */
  readonly patterns: PatternSearch;
  /** Aborted on cancel, timeout and shutdown. */
  readonly signal: AbortSignal;
  readonly tools: NodeTools;
  readonly emit: NodeEmit;
}

/** What a node says while it works. Only nodes with placement `activity` are heard live. */
export interface NodeEmit {
  token(delta: string, channel: 'content' | 'reasoning'): void;
  /** Tells listeners to discard the text of this step so far (before a second model call of the same node). */
  tokenReset(reason: 'retry' | 'tool_turn' | 'moderation'): void;
  progress(data: Json): void;
  /**
   * Must be awaited directly before an effect that may not be repeated leaves the process: from here on a crash is
   * answered with `outcome_unknown`, not with a second try. `notSent` takes it back when nothing left after all.
   */
  sending(): Promise<void>;
  notSent(): Promise<void>;
}

export interface NodeWarning {
  readonly code: string;
  readonly message: string;
  readonly [key: string]: Json;
}

/** What a node may answer; the engine knows these four and nothing else. */
export type NodeResult =
  | {
      readonly outcome: 'completed';
      readonly output: Json;
      /** The handle whose edges are taken; `default` when left out. */
      readonly handle?: string;
      /** What the step record shows as input: never a secret. */
      readonly input?: Json;
      readonly usage?: Usage;
      readonly logs?: readonly string[];
      readonly warnings?: readonly NodeWarning[];
    }
  | { readonly outcome: 'asked'; readonly question: Question }
  | { readonly outcome: 'waiting'; readonly untilMs: number; readonly output: Json }
  | { readonly outcome: 'child'; readonly child: ChildRequest };

/** What an interrupt node asks (runs: `interrupt` event). */
export interface Question {
  /** `tool_approval`: an agent asks about one of its tool calls. */
  readonly kind: 'approval' | 'input' | 'tool_approval';
  readonly title: string;
  readonly message: string;
  readonly payload: Json;
  /** JSON Schema of the answer's data, or null. */
  readonly form: JsonObject | null;
  readonly actions: readonly { readonly id: string; readonly label: string }[];
  readonly assignees: { readonly roles: readonly string[]; readonly user_ids: readonly string[] };
  /** Null: waits for ever. */
  readonly timeoutSeconds: number | null;
  readonly onTimeout: 'fail' | 'branch' | 'default';
  readonly defaultResponse: { readonly action: string | null; readonly data: Json } | null;
}

/** A sub-workflow to run as a child (tool, kind `workflow`). */
export interface ChildRequest {
  readonly workflowId: string;
  readonly deployment: string;
  readonly input: JsonObject;
  readonly wait: boolean;
}

/** Why a node failed. `code` is a stable word, `message` is for people and holds no secret. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;
  readonly retryable: boolean;
  readonly status: number | null;
  /** The wait that the other side asked for (Retry-After), in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(
    code: string,
    message: string,
    more: { retryable?: boolean; status?: number; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.retryable = more.retryable ?? false;
    this.status = more.status ?? null;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}
