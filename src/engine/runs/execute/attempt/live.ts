/** The running work of an attempt: the signals that end it early, and the events that it streams. */
import { SecretStream, type Secrets } from '../../../../platform/credentials/vault/secrets.ts';
import type { Redaction } from '../../../../language/graph/redaction/redaction.ts';
import { REDACTION_WORK, WorkBudget } from '../../../../language/graph/values/work-budget.ts';
import { toStorable } from '../../../../language/graph/values/storable.ts';
import type { Json } from '../../../../language/graph/values/value.ts';
import type { EffectFacts } from '../../../../language/nodes/effect-rules.ts';
import type { NodeCall, NodeEmit } from '../../../../language/nodes/kind.ts';
import type { ByteLease } from '../../../../base/shares/byte-budget.ts';
import { markSent } from '../../ledger/write/effects.ts';
import { FREE_STATE_BYTES } from '../../ledger/read/value-share.ts';
import { buildNodeFields } from '../../walk/frames.ts';
import type { TokenStream } from '../tokens.ts';
import type { ToolUser } from '../deps.ts';
import type { EffectFollower } from '../../walk/folded-call.ts';
import { AttemptTimeout } from './attempt-timeout.ts';
import type { ReachedLimit } from './budget-limit.ts';
import type { Attempt } from './execution.ts';
import { asksWhenUnknown, isSmallRequest } from './unknown-effect.ts';

type Channel = 'content' | 'reasoning';

/** The work of one attempt: its signals, its timeout, and the events that it streams. */
export class LiveNode implements ToolUser, NodeEmit, EffectFollower {
  readonly organizationId: string;
  readonly runDepth: number;
  readonly lease: ByteLease;
  /** Aborts when the execution is given up, its time is over, or the attempt is fenced. */
  readonly signal: AbortSignal;
  readonly #fenced = new AbortController();
  readonly #timeout: AttemptTimeout;
  readonly #attempt: Attempt;
  readonly #stream: TokenStream;
  readonly #secrets: Secrets;
  readonly #redaction: Redaction;
  /** Shared by all progress of the attempt. */
  readonly #redactionWork = new WorkBudget(REDACTION_WORK);
  /** The effect is marked as sent. */
  #isMarked = false;
  #limit: ReachedLimit | null = null;
  #kept: { readonly input: Json; readonly hidden: readonly string[] } = { input: null, hidden: [] };
  readonly #redactors: Readonly<Record<Channel, SecretStream>>;

  /** @param secrets redacted from the stream; the work adds to them */
  constructor(attempt: Attempt, secrets: Secrets) {
    const { deps, context, execution, control, place } = attempt;
    const { segment } = context;
    const { node, stepId } = execution;
    this.organizationId = segment.organizationId;
    this.runDepth = segment.childDepth;
    this.lease = place.share.lease;
    this.#timeout = new AttemptTimeout(node.policy.timeoutMs, deps.clock);
    this.signal = AbortSignal.any([control.signal, this.#timeout.signal, this.#fenced.signal]);
    const speaker = {
      runPk: segment.runPk,
      stepId,
      attempt: execution.attempt,
      batchIntervalMs: segment.batchIntervalMs,
      fields: buildNodeFields(execution),
    };
    const stream = deps.tokens.open(speaker, () => this.fence());
    control.position = () => ({
      node_id: node.id,
      attempt: execution.attempt,
      seq: stream.seq,
      tokens: stream.tokens,
    });
    this.#attempt = attempt;
    this.#stream = stream;
    this.#secrets = secrets;
    this.#redaction = context.redaction;
    this.#redactors = { content: new SecretStream(secrets), reasoning: new SecretStream(secrets) };
  }

  get timedOut(): boolean {
    return this.#timeout.signal.aborted;
  }
  get isFenced(): boolean {
    return this.#fenced.signal.aborted;
  }

  /** Aborts the work: its results no longer count. */
  fence(): void {
    this.#fenced.abort(new Error('Another attempt has begun, or the run has ended'));
  }
  pauseTimeout(): () => void {
    return this.#timeout.pause();
  }

  noteLimit(limit: ReachedLimit): void {
    this.#limit = limit;
  }

  /** The budget that has refused the work, where people may raise it; null: none has. */
  get limit(): ReachedLimit | null {
    return this.#limit;
  }

  /** A named value is known when the text is whole, so a run with named paths streams no text. */
  token(delta: string, channel: Channel): void {
    if (!this.#redaction.isEmpty) return;
    const safeDelta = this.#redactors[channel].push(delta);
    if (safeDelta !== '') this.#stream.token(safeDelta, channel);
  }
  tokenReset(reason: 'retry' | 'tool_turn' | 'moderation'): void {
    this.#endText();
    this.#stream.append('token_reset', { reason });
  }
  progress(data: Json): void {
    this.#stream.append('progress', {
      data: this.#secrets.json(this.#redaction.json(data, this.#redactionWork)),
    });
  }
  async sending(): Promise<void> {
    this.#isMarked = true;
    await this.#markSent(true);
  }
  async notSent(): Promise<void> {
    if (this.#isMarked) await this.#markSent(false);
    else this.#attempt.effects.mark('not_sent');
  }

  /** As NodeCall.hold. */
  async hold(bytes: number): Promise<void> {
    const wait = this.lease.grow(bytes - FREE_STATE_BYTES, this.signal);
    if (wait === null) return;
    const resume = this.pauseTimeout();
    try {
      await wait;
    } finally {
      resume();
    }
  }

  /** As NodeCall.keepInput. */
  keepInput(input: Json, hidden: readonly string[] = []): void {
    this.#kept = { input, hidden };
  }

  /** As NodeCall.follow. */
  follow: NodeCall<unknown>['follow'] = (effect, perform, approvedBy) =>
    this.#attempt.effects.follow({ effect, approvedBy }, perform, (target) => this.#secrets.json(target));

  /** As EffectFollower.refuse. */
  refuse(effect: EffectFacts): void {
    this.#attempt.effects.refuse(effect);
  }

  /** The input that the work has kept: null before. */
  get kept(): { readonly input: Json; readonly hidden: readonly string[] } {
    return this.#kept;
  }

  /** Resolves when all streamed events are written. */
  drain(): Promise<void> {
    this.#endText();
    return this.#stream.drain();
  }
  close(): void {
    this.#timeout.close();
    this.#stream.close();
  }

  /** Streams the text that was held back as a possible part of a secret. */
  #endText(): void {
    for (const channel of ['content', 'reasoning'] as const) {
      const rest = this.#redactors[channel].end();
      if (rest !== '') this.#stream.token(rest, channel);
    }
  }

  /** The request as people see it who are asked what became of it: if its worker is lost, nothing else tells. */
  #describeRequest(): Json {
    const { context, execution } = this.#attempt;
    const { input, hidden } = this.#kept;
    if (!asksWhenUnknown(context, execution) || !isSmallRequest(input)) return null;
    this.#secrets.add(...hidden);
    return toStorable(this.#secrets.json(this.#redaction.json(input, this.#redactionWork)));
  }

  async #markSent(isSent: boolean): Promise<void> {
    // Work that was given up sends nothing more.
    if (isSent) this.signal.throwIfAborted();
    const { deps, execution, effects } = this.#attempt;
    const input = isSent ? this.#describeRequest() : null;
    const row = effects.mark(isSent ? 'sent' : 'not_sent');
    if (await markSent(deps.db, execution, { isSent, input, row })) return;
    // Nothing leaves without the mark.
    if (isSent) effects.mark('prepared');
    this.fence();
    this.signal.throwIfAborted();
  }
}
