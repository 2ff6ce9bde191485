/** The locks that this client holds, renewed for as long as it wants them. */
import { request, type CanvasTransport, type ClientClock } from './transport.ts';

/** A third of a lock's life: two renewals may be lost. */
const RENEW_MS = 10_000;

export type LockAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly holder: LockHolder | null };

export interface LockHolder {
  readonly sessionId: string;
  readonly userId: string;
  readonly name: string;
}

const field = (answer: unknown, key: string): unknown =>
  typeof answer === 'object' && answer !== null ? Reflect.get(answer, key) : undefined;

/** The holder of a lock, as the server tells it; null when it does not. */
export function readHolder(holder: unknown): LockHolder | null {
  const [sessionId, userId, name] = ['sessionId', 'userId', 'name'].map((key) => field(holder, key));
  if (typeof sessionId !== 'string' || typeof userId !== 'string' || typeof name !== 'string') return null;
  return { sessionId, userId, name };
}

export interface HeldLocksDeps {
  readonly transport: CanvasTransport;
  readonly workflowId: string;
  readonly clock: ClientClock;
  /** Called when a lock is not held any more although nobody released it here. */
  onLost(nodeId: string): void;
}

export class HeldLocks {
  readonly #deps: HeldLocksDeps;
  readonly #tokens = new Map<string, number>();
  #timer: object | number | null = null;

  constructor(deps: HeldLocksDeps) {
    this.#deps = deps;
  }

  get held(): readonly string[] {
    return [...this.#tokens.keys()];
  }

  /**
   * Locks a node for this client.
   * @param steal takes it from another tab of the same user, or from whoever has not renewed it for 10 s
   * @returns the holder that is in the way, where there is one; `OFFLINE` when no answer came
   */
  async acquire(nodeId: string, steal: boolean): Promise<LockAnswer> {
    const { transport, workflowId } = this.#deps;
    const answer = await request(transport, 'node:lock', { workflowId, nodeId, steal });
    const token = field(answer, 'token');
    if (typeof token !== 'number') {
      const code = field(answer, 'code');
      return {
        ok: false,
        code: typeof code === 'string' ? code : 'OFFLINE',
        holder: readHolder(field(answer, 'holder')),
      };
    }
    this.#tokens.set(nodeId, token);
    this.#arm();
    return { ok: true };
  }

  async release(nodeId: string): Promise<void> {
    const token = this.#tokens.get(nodeId);
    if (token === undefined) return;
    this.#tokens.delete(nodeId);
    const { transport, workflowId } = this.#deps;
    await request(transport, 'node:unlock', { workflowId, nodeId, token });
  }

  #arm(): void {
    if (this.#timer !== null || this.#tokens.size === 0) return;
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#timer = null;
      this.#renew();
      this.#arm();
    }, RENEW_MS);
  }

  #renew(): void {
    const locks = [...this.#tokens].map(([nodeId, token]) => ({ nodeId, token }));
    const { transport, workflowId } = this.#deps;
    transport.emit('node:lock-renew', { workflowId, locks }, (answer) => {
      const lost = field(answer, 'lost');
      for (const nodeId of Array.isArray(lost) ? lost : []) this.forget(nodeId);
    });
  }

  /** Somebody else has it, or the node is gone. */
  forget(nodeId: unknown): void {
    if (typeof nodeId === 'string' && this.#tokens.delete(nodeId)) this.#deps.onLost(nodeId);
  }

  dispose(): void {
    if (this.#timer !== null) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#tokens.clear();
  }
}
