/** A node at work, and its voice in the stream. */
import type { Json } from '../../graph/value.ts';
import type { Segment } from '../ledger/segments.ts';
import type { NodeEmit } from '../../nodes/kind.ts';
import { SecretStream, type Secrets } from '../../credentials/vault/secrets.ts';
import type { EngineDeps } from './engine-deps.ts';
import { nodeFields } from './frames.ts';
import { LiveWork } from './live-work.ts';
import type { NodeExecution } from './run-context.ts';
import type { TokenStream } from './token-appender.ts';

type Channel = 'content' | 'reasoning';

export class LiveNode extends LiveWork implements NodeEmit {
  readonly #deps: EngineDeps;
  readonly #execution: NodeExecution;
  readonly #stream: TokenStream;
  readonly #secrets: Secrets;
  readonly #spoken: Readonly<Record<Channel, SecretStream>>;

  /** @param secrets what is never said aloud, filled while the node works */
  constructor(deps: EngineDeps, segment: Segment, execution: NodeExecution, secrets: Secrets) {
    const { node, stepId, attempt } = execution;
    const speaker = {
      runPk: segment.runPk,
      stepId,
      attempt,
      batchIntervalMs: segment.batchIntervalMs,
      fields: nodeFields(execution),
    };
    const stream = deps.tokens.open(speaker, () => this.fence());
    super(deps, {
      rootRunPk: segment.rootRunPk,
      timeoutMs: node.policy.timeoutMs,
      position: () => ({ node_id: node.id, attempt, seq: stream.seq, tokens: stream.tokens }),
    });
    this.#deps = deps;
    this.#stream = stream;
    this.#secrets = secrets;
    this.#spoken = { content: new SecretStream(secrets), reasoning: new SecretStream(secrets) };
    this.#execution = execution;
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
    const rows = await this.#deps.db.query(
      `UPDATE run_steps SET sent_at = ${value} WHERE step_id = $1 AND attempt = $2 AND status = 'running' RETURNING 1`,
      [this.#execution.stepId, this.#execution.attempt],
    );
    if (rows.length === 1) return;
    this.fence();
    this.signal.throwIfAborted();
  }
}
