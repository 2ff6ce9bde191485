/** Work that is under way in this process: its heartbeat, the signals that end it early, and its voice in the stream. */
import { SecretStream, type Secrets } from '../../credentials/vault/secrets.ts';
import type { Json } from '../../graph/value.ts';
import type { NodeEmit } from '../../nodes/kind.ts';
import type { HeartbeatPosition } from '../engine.ts';
import { markCallSent } from '../ledger/agent-records.ts';
import type { CallKey } from '../ledger/agent-records.ts';
import { AttemptTimeout } from './attempt-timeout.ts';
import type { NodeAttempt } from './attempts.ts';
import type { ToolUser } from './deps.ts';
import { nodeFields } from './frames.ts';
import type { Host } from './host.ts';
import { SILENT } from './run-context.ts';
import type { NodeExecution } from './run-context.ts';
import type { TokenStream } from './token-appender.ts';

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

export interface Work {
  readonly organizationId: string;
  readonly rootRunPk: string;
  readonly timeoutMs: number;
  position(): HeartbeatPosition;
}

export class LiveWork implements ToolUser {
  readonly organizationId: string;
  readonly signal: AbortSignal;
  readonly #host: Host;
  readonly #work: Work;
  readonly #timeout: AttemptTimeout;
  readonly #fenced = new AbortController();
  readonly #unfollow: () => void;
  readonly #stopHeartbeat: () => void;
  readonly #releases: (() => void)[] = [];
  #isRunCancelled = false;

  constructor(liveRuns: LiveRuns, host: Host, work: Work) {
    this.#host = host;
    this.#work = work;
    this.organizationId = work.organizationId;
    this.#timeout = new AttemptTimeout(work.timeoutMs);
    this.signal = AbortSignal.any([host.signal, this.#timeout.signal, this.#fenced.signal]);
    this.#unfollow = liveRuns.follow(work.rootRunPk, () => {
      this.#isRunCancelled = true;
      this.fence();
    });
    this.#stopHeartbeat = host.startHeartbeat(() => work.position());
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

  /** Work that ends because its run was cancelled ends as cancelled for its host, too, if the host hears of it in time. */
  async awaitCancellation(): Promise<void> {
    if (!this.#isRunCancelled || this.#host.signal.aborted) return;
    await this.#host.awaitCancellation(() => this.#work.position());
  }

  pauseTimeout(): () => void {
    return this.#timeout.pause();
  }

  onClose(release: () => void): void {
    this.#releases.push(release);
  }

  close(): void {
    this.#timeout.close();
    this.#stopHeartbeat();
    this.#unfollow();
    for (const release of this.#releases.splice(0)) release();
  }
}

type Channel = 'content' | 'reasoning';

/** A node at work. */
export class LiveNode extends LiveWork implements NodeEmit {
  readonly #attempt: NodeAttempt;
  readonly #stream: TokenStream;
  readonly #secrets: Secrets;
  readonly #spoken: Readonly<Record<Channel, SecretStream>>;

  /** @param secrets what is never said aloud, filled while the node works */
  constructor(attempt: NodeAttempt, secrets: Secrets) {
    const { deps, host, context, execution } = attempt;
    const { segment } = context;
    const { node, stepId } = execution;
    const speaker = {
      runPk: segment.runPk,
      stepId,
      attempt: execution.attempt,
      batchIntervalMs: segment.batchIntervalMs,
      fields: nodeFields(execution),
    };
    const stream = deps.tokens.open(speaker, () => this.fence());
    super(deps.liveRuns, host, {
      organizationId: segment.organizationId,
      rootRunPk: segment.rootRunPk,
      timeoutMs: node.policy.timeoutMs,
      position: () => ({
        node_id: node.id,
        attempt: execution.attempt,
        seq: stream.seq,
        tokens: stream.tokens,
      }),
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
    this.#stream.say('token_reset', { reason });
  }
  progress(data: Json): void {
    this.#stream.say('progress', { data: this.#secrets.json(data) });
  }
  async sending(): Promise<void> {
    await this.#markSent('clock_timestamp()');
  }
  async notSent(): Promise<void> {
    await this.#markSent('NULL');
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

  async #markSent(value: 'clock_timestamp()' | 'NULL'): Promise<void> {
    const { deps, execution } = this.#attempt;
    const rows = await deps.db.query(
      `UPDATE run_steps SET sent_at = ${value} WHERE step_id = $1 AND attempt = $2 AND status = 'running' RETURNING 1`,
      [execution.stepId, execution.attempt],
    );
    if (rows.length === 1) return;
    this.fence();
    this.signal.throwIfAborted();
  }
}

/** A tool call of an agent at work. */
export class LiveCall extends LiveWork {
  /** Tools say nothing live but that they send. */
  readonly emit: NodeEmit;

  constructor(
    {
      deps,
      host,
      context,
      execution,
    }: Pick<NodeAttempt, 'deps' | 'host' | 'context'> & {
      readonly execution: NodeExecution;
    },
    call: { readonly key: CallKey; readonly attempt: number; readonly timeoutMs: number },
  ) {
    const { node, attempt } = execution;
    super(deps.liveRuns, host, {
      organizationId: context.segment.organizationId,
      rootRunPk: context.segment.rootRunPk,
      timeoutMs: call.timeoutMs,
      position: () => ({ node_id: node.id, attempt, seq: 0, tokens: 0 }),
    });
    const mark = async (isSent: boolean): Promise<void> => {
      if (await markCallSent(deps.db, { ...call.key, attempt: call.attempt }, isSent)) return;
      this.fence();
      this.signal.throwIfAborted();
    };
    this.emit = { ...SILENT, sending: () => mark(true), notSent: () => mark(false) };
  }
}
