/** Work that is under way in this process: the signals that end it early, and its voice in the stream. */
import { SecretStream, type Secrets } from '../../../credentials/vault/secrets.ts';
import type { Json } from '../../../graph/value.ts';
import type { NodeEmit } from '../../../nodes/kind.ts';
import type { Clock } from '../../../clock.ts';
import { markSent } from '../../ledger/steps.ts';
import { buildNodeFields } from '../frames.ts';
import type { TokenStream } from '../tokens.ts';
import type { ToolUser } from '../deps.ts';
import { AttemptTimeout } from './attempt-timeout.ts';
import type { Attempt } from './execution.ts';
import type { AttemptControl } from './running-attempts.ts';

/**
 * The work of each run in this process. A cancellation that is committed here or elsewhere ends it through the database's
 * notices; Temporal's own comes with a heartbeat, some seconds later.
 */
export class LiveRuns {
  readonly #work = new Map<string, Set<() => void>>();

  /** Calls `onCancelled` when the run is cancelled, until the returned function is called. */
  follow(rootRunPk: string, onCancelled: () => void): () => void {
    const work = this.#work.get(rootRunPk) ?? new Set();
    this.#work.set(rootRunPk, work.add(onCancelled));
    return () => {
      work.delete(onCancelled);
      if (work.size === 0) this.#work.delete(rootRunPk);
    };
  }

  cancelled(rootRunPk: string): void {
    for (const onCancelled of this.#work.get(rootRunPk) ?? []) onCancelled();
  }
}

interface Limits {
  readonly clock: Clock;
  readonly organizationId: string;
  readonly liveRuns: LiveRuns;
  readonly rootRunPk: string;
  readonly runDepth: number;
  readonly timeoutMs: number;
}

/** Work with a time limit, which ends early when it is fenced or its execution is given up. */
export class LiveWork implements ToolUser {
  readonly organizationId: string;
  readonly runDepth: number;
  readonly signal: AbortSignal;
  readonly #fenced = new AbortController();
  readonly #timeout: AttemptTimeout;
  readonly #unfollow: () => void;
  readonly #releases: (() => void)[] = [];

  constructor(
    { clock, liveRuns, organizationId, rootRunPk, runDepth, timeoutMs }: Limits,
    control: Pick<AttemptControl, 'signal'>,
  ) {
    this.organizationId = organizationId;
    this.runDepth = runDepth;
    this.#timeout = new AttemptTimeout(timeoutMs, clock);
    this.signal = AbortSignal.any([control.signal, this.#timeout.signal, this.#fenced.signal]);
    this.#unfollow = liveRuns.follow(rootRunPk, () => this.fence());
  }

  get timedOut(): boolean {
    return this.#timeout.signal.aborted;
  }
  get isFenced(): boolean {
    return this.#fenced.signal.aborted;
  }

  /** Nothing that is done from here on counts. */
  fence(): void {
    this.#fenced.abort(new Error('The run has ended or another attempt has begun'));
  }

  pauseTimeout(): () => void {
    return this.#timeout.pause();
  }

  onClose(release: () => void): void {
    this.#releases.push(release);
  }

  close(): void {
    this.#timeout.close();
    this.#unfollow();
    for (const release of this.#releases.splice(0)) release();
  }
}

type Channel = 'content' | 'reasoning';

/** A node at work. */
export class LiveNode extends LiveWork implements NodeEmit {
  readonly #attempt: Attempt;
  readonly #stream: TokenStream;
  readonly #secrets: Secrets;
  readonly #spoken: Readonly<Record<Channel, SecretStream>>;

  /** @param secrets what is never said aloud, filled while the node works */
  constructor(attempt: Attempt, secrets: Secrets) {
    const { deps, context, execution, control } = attempt;
    const { segment } = context;
    const { node, stepId } = execution;
    const { clock, liveRuns } = deps;
    const { organizationId, rootRunPk, childDepth: runDepth } = segment;
    const { timeoutMs } = node.policy;
    super({ clock, liveRuns, organizationId, rootRunPk, runDepth, timeoutMs }, control);
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
    this.#spoken = { content: new SecretStream(secrets), reasoning: new SecretStream(secrets) };
  }

  token(delta: string, channel: Channel): void {
    const sayable = this.#spoken[channel].push(delta);
    if (sayable !== '') this.#stream.token(sayable, channel);
  }
  tokenReset(reason: 'retry' | 'tool_turn' | 'moderation'): void {
    this.#endText();
    this.#stream.append('token_reset', { reason });
  }
  progress(data: Json): void {
    this.#stream.append('progress', { data: this.#secrets.json(data) });
  }
  async sending(): Promise<void> {
    await this.#markSent(true);
  }
  async notSent(): Promise<void> {
    await this.#markSent(false);
  }

  /** Everything said is written when this resolves. */
  drain(): Promise<void> {
    this.#endText();
    return this.#stream.drain();
  }
  override close(): void {
    super.close();
    this.#stream.close();
  }

  /** Says what was held back because it might have become a secret. */
  #endText(): void {
    for (const channel of ['content', 'reasoning'] as const) {
      const rest = this.#spoken[channel].end();
      if (rest !== '') this.#stream.token(rest, channel);
    }
  }

  async #markSent(isSent: boolean): Promise<void> {
    const { deps, execution } = this.#attempt;
    if (await markSent(deps.db, execution, isSent)) return;
    this.fence();
    this.signal.throwIfAborted();
  }
}
