/**
 * The interface of a kind of node. A kind does not know Temporal, the database or other nodes. External services are ports in
 * `NodeCall.tools`, so that the API can validate configs without loading their clients.
 */
import type { z } from 'zod';
import type { Problem, RuleGroup } from '../graph/definition/definition.ts';
import type { NodePolicy } from '../graph/schedule/plan.ts';
import type { Json, JsonObject } from '../graph/values/value.ts';
import type { AnyEffect, AnySender, EffectPattern, FixedInput } from './effect.ts';
import type { AskingRule, EffectFacts } from './effect-rules.ts';
import type { ErrorResponse } from './error-response.ts';
import type { RunnableType } from './faces.ts';
import type { PatternSearch } from './pattern.ts';
import type { RowWrite, UnseenRequest } from './tool/row-request.ts';
import type { NodeTools, Usage } from './tools.ts';

export interface NodeKind<Config = unknown> {
  readonly type: RunnableType;
  /** The schema that `parse` uses; the OpenAPI document describes it. */
  readonly config: z.ZodType;
  /** Parses a config; paths of problems are relative to the config. Never throws. */
  parse(config: JsonObject): { readonly config: Config } | { readonly problems: readonly KindProblem[] };
  policy(config: Config): NodePolicy;
  /** Nodes for the API's documents, one of each alternative; the most usual one first. */
  readonly examples: readonly JsonObject[];
  /** Its lines in the prompt of the Composer: config and output. Undefined: the Composer does not write such nodes. */
  readonly guide?: string;
  /** Lists what an execution, or a tool of it, may send; undefined: nothing. */
  describe?(config: Config): readonly EffectPattern[];
  /** The input of its one call of a model, when every run has the same; null: a run decides it. */
  fixedInput?(config: Config): FixedInput | null;
  /** The sender of the one effect that the work is; undefined: the work has none, or several. */
  sender?(config: Config): AnySender;
  /** Top-level config keys whose strings are not templates (source code, schemas, patterns). */
  readonly literalKeys: readonly string[];
  /** The top-level config key that is JavaScript. */
  readonly codeKey?: string;
  /** The places of JSON Schemas in the config; `*` is each item of a list. */
  readonly schemaPaths?: readonly (readonly string[])[];
  /** Top-level config keys that are rendered per item and may use the roots `item` and `index`. */
  readonly itemKeys?: readonly string[];
  /** Top-level config keys that are rendered over an answer and may use the root `response`. */
  readonly responseKeys?: readonly string[];
  /**
   * Does the work. Throws NodeError, RenderTooLarge or WorkLimitExceeded; any other error is a bug and fails the node with
   * `internal_error`.
   */
  run(call: NodeCall<Config>): Promise<NodeResult> | NodeResult;
  /**
   * The handle that the node selects with an output; undefined: `default`. An output may stand in for the work (`mock`, a pin, the
   * override of a rerun), and the run goes on as if the node had returned it.
   */
  selectHandle?(output: Json): string | undefined;
}

export type KindProblem = Pick<Problem, 'code' | 'message'> & { readonly path: readonly (string | number)[] };

/** Erases the config type of a kind, so that all kinds fit one list. */
export function defineNode<Config>(kind: NodeKind<Config>): NodeKind {
  return kind as NodeKind;
}

/** Identity of one execution of a node. */
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

/** The call that an effect is prepared with: it reads, and cannot send. */
export interface PrepareCall<Config> {
  readonly config: Config;
  readonly identity: NodeIdentity;
  /** Renders every template in a value and keeps types. @param extra more roots @param mayMiss a missing path is no mistake */
  render(value: Json, extra?: Readonly<Record<string, Json>>, mayMiss?: boolean): Json;
  /** Renders to text. @param encode applied to each inserted value, not to the literal parts @param extra more roots */
  renderText(
    template: string,
    encode?: (inserted: string) => string,
    extra?: Readonly<Record<string, Json>>,
  ): string;
  /** Renders and evaluates a rule group. @param mayMiss as in `render` */
  evaluate(rules: RuleGroup, extra?: Readonly<Record<string, Json>>, mayMiss?: boolean): boolean;
  /** Searches patterns. Its budget `patterns.work` counts all work of the execution: patterns, templates, rules and loops. */
  readonly patterns: PatternSearch;
  /** The ports that read. */
  readonly tools: Pick<NodeTools, 'credentials'> & { readonly memory: Pick<NodeTools['memory'], 'read'> };
  /**
   * Counts the bytes of a body on the share of the organization, before the node builds it; waits when the share is full, outside of
   * the node's time. They are given back when the end of the node is written.
   * @throws the reason of the signal
   */
  hold(bytes: number): Promise<void>;
  /**
   * Asks the rules of the organization whether an effect may leave: of each that is made, of the hops of a redirect, and of links to people.
   * @param onAsk gets the rule by which people approve it first; without it, such an effect is refused
   * @throws NodeError `effect_refused`
   */
  admit(effect: EffectFacts, onAsk?: (rule: AskingRule) => void): void;
}

export interface NodeCall<Config> extends PrepareCall<Config> {
  /** Aborted on cancel, timeout and shutdown. */
  readonly signal: AbortSignal;
  readonly tools: NodeTools;
  readonly emit: NodeEmit;
  /**
   * Keeps the input for the step record, also for that of a failure; the last one counts. It must not contain secrets.
   * @param hidden secrets that it leaves out; if the work fails, they are removed from all that it leaves behind
   */
  keepInput(input: Json, hidden?: readonly string[]): void;
  /** People have approved its request: no other one may leave. */
  readonly isApproved?: true;
  /**
   * Counts a change on the budgets of the run, directly before it is made.
   * @throws NodeError `budget_exceeded`
   */
  spend(door: EffectPattern['door'], key?: string): Promise<void>;
  /**
   * Performs an effect, and follows it for the ledger of effects.
   * @param approvedBy the question whose answer has approved it
   * @returns the result of `perform`; throws its errors
   */
  follow(
    effect: AnyEffect,
    perform: () => Promise<NodeResult> | NodeResult,
    approvedBy?: string,
  ): Promise<NodeResult> | NodeResult;
}

/** Events of a running node. Only those of nodes with placement `activity` are streamed live. */
export interface NodeEmit {
  token(delta: string, channel: 'content' | 'reasoning'): void;
  /** Tells clients to discard the text of this step so far, because the node calls a model again. */
  tokenReset(reason: 'retry' | 'tool_turn' | 'moderation'): void;
  progress(data: Json): void;
  /**
   * Must be awaited directly before an `at_most_once` effect leaves the process: after a crash the node then fails with
   * `outcome_unknown` and is not retried. `notSent` revokes it when nothing was sent; of an effect of another class it says so.
   */
  sending(): Promise<void>;
  notSent(): Promise<void>;
}

export interface NodeWarning {
  readonly code: string;
  readonly message: string;
  readonly [key: string]: Json;
}

/** The five outcomes of a node. */
export type NodeResult =
  | {
      readonly outcome: 'completed';
      readonly output: Json;
      /** The selected handle; `default` when left out. */
      readonly handle?: string;
      /** Input in the step record: the one that the work kept. */
      readonly input?: Json;
      readonly usage?: Usage;
      readonly logs?: readonly string[];
      readonly warnings?: readonly NodeWarning[];
      /** For the sender of the request that started the run. */
      readonly response?: WebhookResponse;
    }
  | {
      readonly outcome: 'interrupted';
      readonly question: Question;
      /** People without an account who get a link to the question. */
      readonly recipients?: readonly AnswerRecipient[];
    }
  | { readonly outcome: 'waiting'; readonly untilMs: number; readonly output: Json }
  | { readonly outcome: 'child'; readonly child: ChildRequest }
  | {
      /** A write that commits with the step. */
      readonly outcome: 'write';
      readonly write: TableWrite;
      /** Input in the step record, as of a completed one. */
      readonly input?: Json;
    };

/** A write of a row (tool, kind `table`). */
export type TableWrite = (RowWrite | UnseenRequest) & { readonly tableId: string };

/** The response of a run to the sender of its webhook. */
export interface WebhookResponse {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** A person, or a chat, that gets a link to a question. */
export interface AnswerRecipient {
  /** An e-mail address in lower case, or the kind of the chat. */
  readonly address: string;
  readonly channel: 'email' | 'slack' | 'teams' | 'discord';
  /** The incoming webhook of a chat; null for e-mail, and where a credential has it. */
  readonly url: string | null;
  readonly credentialId: string | null;
  /** The first message is sent this long after the question was opened. */
  readonly afterSeconds: number;
  /** Null: no reminders. */
  readonly remindSeconds: number | null;
}

/** The question of an interrupt node, or of a node in the middle of its work (`interrupt` event of the run). */
export interface Question {
  /**
   * `tool_approval`: an agent asks for approval of a tool call; `callback`: the run waits for another service;
   * `unknown_effect`: a request was sent, and nobody knows whether it had its effect; `effect_approval`: a request waits
   * until people approve it; `budget_limit`: a budget is used up, and people may raise it for the run.
   */
  readonly kind:
    | 'approval'
    | 'input'
    | 'tool_approval'
    | 'callback'
    | 'unknown_effect'
    | 'effect_approval'
    | 'budget_limit';
  readonly title: string;
  readonly message: string;
  readonly payload: Json;
  /** JSON Schema of the answer's data, or null. */
  readonly form: JsonObject | null;
  readonly actions: readonly {
    readonly id: string;
    readonly label: string;
    /** Replaces `requiredResponses` for this action. */
    readonly requiredResponses?: number | undefined;
  }[];
  /** Number of people who must give the same answer; undefined: one. */
  readonly requiredResponses?: number;
  readonly assignees: {
    readonly roles: readonly string[];
    readonly user_ids: readonly string[];
    /** Addresses that have a link. */
    readonly emails?: readonly string[];
  };
  /** Null: no limit. */
  readonly timeoutSeconds: number | null;
  readonly onTimeout: 'fail' | 'branch' | 'default';
  readonly defaultResponse: { readonly action: string | null; readonly data: Json } | null;
}

/** A sub-workflow to run as a child (tool, kind `workflow`). */
interface ChildRequest {
  readonly workflowId: string;
  readonly deployment: string;
  readonly input: JsonObject;
  readonly wait: boolean;
}

interface NodeErrorFields {
  readonly retryable?: boolean | undefined;
  readonly status?: number | null | undefined;
  readonly retryAfterMs?: number | null | undefined;
  readonly response?: ErrorResponse | null | undefined;
  readonly cause?: unknown;
}

/** The failure of a node. `code` is stable; `message` is for people and must not contain secrets. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;
  readonly retryable: boolean;
  readonly status: number | null;
  /** The wait that the server requests (Retry-After), in milliseconds. */
  readonly retryAfterMs: number | null;
  /** The answer of the service that refused; null: it did not answer, or must not be quoted. */
  readonly response: ErrorResponse | null;

  constructor(code: string, message: string, more: NodeErrorFields = {}) {
    super(message, { cause: more.cause });
    this.code = code;
    this.retryable = more.retryable ?? false;
    this.status = more.status ?? null;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.response = more.response ?? null;
  }

  /** Copies the error with other texts, and without its cause, which may quote them. */
  with(texts: Pick<NodeError, 'message' | 'response'>): NodeError {
    const { retryable, status, retryAfterMs } = this;
    return new NodeError(this.code, texts.message, {
      retryable,
      status,
      retryAfterMs,
      response: texts.response,
    });
  }
}
