/**
 * The effects of one attempt, for the ledger of effects: those that change something outside of the service. They are written by the
 * statements that mark the attempt as sent and end it.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Redaction } from '../../../language/graph/redaction/redaction.ts';
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { REDACTION_WORK, WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { describeCallable } from '../../../language/nodes/agent/offer.ts';
import { isChange, toKnownTarget, type AnyEffect } from '../../../language/nodes/effect.ts';
import { findHost, type EffectFacts } from '../../../language/nodes/effect-rules.ts';
import { hasNoAnswer, NothingSentError } from '../../../language/nodes/failure.ts';
import { NodeError, type NodeResult } from '../../../language/nodes/kind.ts';
import { getKind } from '../../../language/nodes/registry.ts';
import type { EffectRow } from '../ledger/write/effects.ts';
import type { StepRow } from '../ledger/write/steps.ts';
import type { NodeExecution, WalkContext } from './context.ts';

type Progress =
  /** At most once: it is not marked as sent, so nothing has left. */
  'prepared' | 'sent' | 'done' | 'refused' | 'not_sent' | 'unknown';

interface FollowedEffect {
  readonly row: Omit<EffectRow, 'outcome' | 'error_code'>;
  progress: Progress;
  errorCode: string | null;
}

/** The parts of an execution that a row has. */
type Place = Pick<NodeExecution, 'stepId' | 'attempt' | 'node'>;

/** Finds the host of an effect; that of a chat is the address of its webhook. */
function findEffectHost(door: string, target: JsonObject): string | null {
  if (door !== 'message') return findHost(target);
  const { channel, address } = target;
  return channel !== 'email' && typeof address === 'string' ? address : null;
}

export class AttemptEffects {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #redaction: Redaction;
  readonly #place: Place;
  readonly #followed: FollowedEffect[] = [];
  #lost: readonly EffectRow[] = [];

  constructor({ clock, redaction }: Pick<WalkContext, 'clock' | 'redaction'>, place: Place) {
    this.#clock = clock;
    this.#redaction = redaction;
    this.#place = place;
  }

  /** As NodeCall.follow. @param hide removes the secrets of the attempt */
  async follow(
    { effect, approvedBy }: { readonly effect: AnyEffect; readonly approvedBy: string | undefined },
    perform: () => Promise<NodeResult> | NodeResult,
    hide: (target: Json) => Json,
  ): Promise<NodeResult> {
    if (!isChange(effect)) return perform();
    const target = hide(effect.target as JsonObject) as JsonObject;
    const followed = this.#add({ ...effect, target }, await effect.digest(), 'sent', approvedBy ?? null);
    // The class of a server's tool is known when it is called; all others are marked before they leave.
    const isTable = effect.door === 'table';
    if (isTable || (effect.effect === 'at_most_once' && effect.door !== 'mcp'))
      followed.progress = 'prepared';
    try {
      const result = await perform();
      // A row is written by the end of the attempt.
      if (!isTable) followed.progress = 'done';
      return result;
    } catch (error) {
      if (error instanceof NodeError) followed.errorCode = error.code;
      if (followed.progress !== 'not_sent') followed.progress = judgeFailure(error);
      throw error;
    }
  }

  /** Adds an effect that a rule of the organization refuses. */
  refuse(effect: EffectFacts): void {
    if (isChange(effect)) this.#add(effect, null, 'refused').errorCode = 'effect_refused';
  }

  /** Changes the effect that is being performed. @returns its row for the ledger; null: it is none of the ledger */
  mark(progress: 'prepared' | 'sent' | 'not_sent'): EffectRow | null {
    const current = this.#followed.at(-1);
    if (current === undefined) return null;
    current.progress = progress;
    return toRow(current);
  }

  /** Ends the write of a row, in the transaction that makes it. @param errorCode null: it is made */
  endWrite(errorCode: string | null): void {
    const current = this.#followed.at(-1);
    if (current === undefined || !isTableWrite(current.row)) return;
    current.progress = errorCode === null ? 'done' : 'not_sent';
    current.errorCode = errorCode;
  }

  /** Lists the rows that the end of the attempt writes. */
  list(): EffectRow[] {
    return [...this.#lost, ...this.#followed.map(toRow)];
  }

  /** Lists those that are true also when the attempt ends without a record: a row of a table is written by the record alone. */
  listSent(): EffectRow[] {
    return this.list().filter((row) => !isTableWrite(row));
  }

  /** Adds the effects of an attempt that is ended because its worker was lost. */
  lose(lost: readonly EffectRow[]): void {
    this.#lost = lost;
  }

  #add(
    { door, target, effect, credential_id }: EffectFacts,
    digest: string | null,
    progress: Progress,
    approvedBy: string | null = null,
  ): FollowedEffect {
    const shown = this.#redaction.json(target as Json, new WorkBudget(REDACTION_WORK));
    const known = isObject(shown) ? shown : {};
    const followed: FollowedEffect = {
      row: {
        ...toPlaceFields(this.#place),
        number: this.#followed.length,
        door,
        target: known,
        host: findEffectHost(door, known),
        credential_id,
        effect,
        digest,
        approved_by_interrupt: approvedBy,
        created_at: new Date(this.#clock.now()).toISOString(),
      },
      progress,
      errorCode: null,
    };
    this.#followed.push(followed);
    return followed;
  }
}

const isTableWrite = ({ door }: Pick<EffectRow, 'door'>): boolean => door === 'table';

const toPlaceFields = ({ stepId, attempt, node }: Place) => ({
  step_id: stepId,
  attempt,
  node_id: node.id,
});

function judgeFailure(error: unknown): Progress {
  if (error instanceof NothingSentError) return 'not_sent';
  if (!(error instanceof NodeError) || error.code === 'outcome_unknown' || hasNoAnswer(error))
    return 'unknown';
  return 'done';
}

function toRow({ row, progress, errorCode }: FollowedEffect): EffectRow {
  const outcome = progress === 'prepared' ? 'not_sent' : progress === 'sent' ? 'unknown' : progress;
  return { ...row, outcome, error_code: errorCode };
}

/**
 * Lists the effects of an attempt whose worker was lost. Its class decides what is recorded: at most once, the statement that marked it as
 * sent has written its row. Of all others what the config says is known, and that they may have happened.
 * @param step in that attempt
 */
export function listLostEffects(
  { ready }: Pick<WalkContext, 'ready'>,
  execution: Pick<NodeExecution, 'node' | 'toolCall'>,
  { step_id: stepId, attempt, sent_at: sentAt, attempts }: StepRow,
): EffectRow[] {
  const { node, toolCall } = execution;
  const config = ready.configs[node.index];
  const tool = toolCall?.tool ?? null;
  const pattern =
    toolCall === undefined
      ? getKind(node.type).sender?.(config).describe(config)
      : tool === null
        ? undefined
        : describeCallable(tool);
  // A row is written with the end of its attempt, so a lost one has written none.
  if (pattern === undefined || !isChange(pattern) || isTableWrite(pattern)) return [];
  const { door, effect, credential_id } = pattern;
  if (sentAt !== null || (effect === 'at_most_once' && door !== 'mcp')) return [];
  const target = toKnownTarget(pattern);
  return [
    {
      ...toPlaceFields({ stepId, attempt, node } as Place),
      number: 0,
      door,
      target,
      host: findEffectHost(door, target),
      credential_id,
      effect,
      digest: null,
      approved_by_interrupt: null,
      outcome: 'unknown',
      error_code: 'worker_lost',
      created_at: attempts.at(-1)?.started_at ?? '',
    },
  ];
}
