/** The locks that this client holds, renewed for as long as it wants them. */
import { ask } from './ask.ts';
import type { CanvasTransport, ClientClock } from './transport.ts';

/** A third of a lock's life: two renewals may be lost. */
const RENEW_MS = 10_000;

const field = (answer: unknown, key: string): unknown =>
  typeof answer === 'object' && answer !== null ? Reflect.get(answer, key) : undefined;

export class LockKeeper {
  readonly #transport: CanvasTransport;
  readonly #workflowId: string;
  readonly #clock: ClientClock;
  readonly #onLost: (nodeId: string) => void;
  readonly #tokens = new Map<string, number>();
  #timer: object | number | null = null;

  /** @param onLost told when a lock is not held any more although nobody released it here */
  constructor(
    transport: CanvasTransport,
    workflowId: string,
    clock: ClientClock,
    onLost: (nodeId: string) => void,
  ) {
    this.#transport = transport;
    this.#workflowId = workflowId;
    this.#clock = clock;
    this.#onLost = onLost;
  }

  get held(): readonly string[] {
    return [...this.#tokens.keys()];
  }

  /** @returns whether the node is locked for us now */
  async acquire(nodeId: string, steal: boolean): Promise<boolean> {
    const answer = await ask(this.#transport, 'node:lock', { workflowId: this.#workflowId, nodeId, steal });
    const token = field(answer, 'token');
    if (typeof token !== 'number') return false;
    this.#tokens.set(nodeId, token);
    this.#arm();
    return true;
  }

  async release(nodeId: string): Promise<void> {
    const token = this.#tokens.get(nodeId);
    if (token === undefined) return;
    this.#tokens.delete(nodeId);
    await ask(this.#transport, 'node:unlock', { workflowId: this.#workflowId, nodeId, token });
  }

  #arm(): void {
    if (this.#timer !== null || this.#tokens.size === 0) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null;
      this.#renew();
      this.#arm();
    }, RENEW_MS);
  }

  #renew(): void {
    const locks = [...this.#tokens].map(([nodeId, token]) => ({ nodeId, token }));
    this.#transport.emit('node:lock-renew', { workflowId: this.#workflowId, locks }, (answer) => {
      const lost = field(answer, 'lost');
      for (const nodeId of Array.isArray(lost) ? lost : []) this.forget(nodeId);
    });
  }

  /** Somebody else has it, or the node is gone. */
  forget(nodeId: unknown): void {
    if (typeof nodeId === 'string' && this.#tokens.delete(nodeId)) this.#onLost(nodeId);
  }

  dispose(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#tokens.clear();
  }
}
