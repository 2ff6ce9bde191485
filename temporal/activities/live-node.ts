/** A node at work: its voice in the stream, its heartbeat, and the signals that end it early. */
import { Context } from '@temporalio/activity';
import type { Json } from '../../src/graph/value.ts';
import type { Segment } from '../../src/journal/segments.ts';
import type { NodeEmit } from '../../src/nodes/kind.ts';
import { SecretStream, type Secrets } from '../../src/vault/secrets.ts';
import type { HeartbeatPosition } from '../contract.ts';
import type { EngineDeps } from './engine-deps.ts';
import { nodeFields } from './frames.ts';
import { HeartbeatPace } from './heartbeat-pace.ts';
import type { NodeExecution } from './run-context.ts';
import type { TokenStream } from './token-appender.ts';

type Channel = 'content' | 'reasoning';

/** One heartbeat a second bounds how late a cancellation is heard; the worker throttles to the same pace. */
const HEARTBEAT_MS = 1_000;

export class LiveNode implements NodeEmit {
  readonly signal: AbortSignal;
  readonly #deps: EngineDeps;
  readonly #execution: NodeExecution;
  readonly #stream: TokenStream;
  readonly #timeout: AbortSignal;
  readonly #fenced = new AbortController();
  #beat: NodeJS.Timeout;
  readonly #pace = new HeartbeatPace();
  readonly #secrets: Secrets;
  readonly #spoken: Readonly<Record<Channel, SecretStream>>;

  /** @param secrets what is never said aloud, filled while the node works */
  constructor(deps: EngineDeps, segment: Segment, execution: NodeExecution, secrets: Secrets) {
    const { cancellationSignal } = Context.current();
    this.#deps = deps;
    this.#secrets = secrets;
    this.#spoken = { content: new SecretStream(secrets), reasoning: new SecretStream(secrets) };
    this.#execution = execution;
    this.#timeout = AbortSignal.timeout(execution.node.policy.timeoutMs);
    this.signal = AbortSignal.any([cancellationSignal, this.#timeout, this.#fenced.signal]);
    this.#stream = deps.tokens.open(
      {
        runPk: segment.runPk,
        stepId: execution.stepId,
        attempt: execution.attempt,
        batchIntervalMs: segment.batchIntervalMs,
        fields: nodeFields(execution),
      },
      () => this.#fenced.abort(new Error('The run has ended or another attempt has begun')),
    );
    this.#heartbeat();
    // From a moment by chance: two hundred nodes that begin together would beat together, and hold up their own words.
    this.#beat = setTimeout(() => {
      this.#heartbeat();
      this.#beat = setInterval(() => this.#heartbeat(), HEARTBEAT_MS);
    }, HEARTBEAT_MS * Math.random());
  }

  get timedOut(): boolean {
    return this.#timeout.aborted;
  }
  get isFenced(): boolean {
    return this.#fenced.signal.aborted;
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
  close(): void {
    clearInterval(this.#beat);
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
    const rows = await this.#deps.db.query(
      `UPDATE run_steps SET sent_at = ${value} WHERE step_id = $1 AND attempt = $2 AND status = 'running' RETURNING 1`,
      [this.#execution.stepId, this.#execution.attempt],
    );
    if (rows.length === 1) return;
    this.#fenced.abort(new Error('The run has ended or another attempt has begun'));
    this.signal.throwIfAborted();
  }

  #heartbeat(): void {
    const { seq, tokens } = this.#stream;
    if (!this.#pace.isDue(seq)) return;
    const { node, attempt } = this.#execution;
    const position: HeartbeatPosition = { node_id: node.id, attempt, seq, tokens };
    Context.current().heartbeat(position);
  }
}
