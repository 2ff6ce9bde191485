/** The locks that this client holds, renewed until it releases them. */
import { request, type CanvasTransport, type ClientClock } from './transport.ts';

/** A third of a lock's lifetime, so that two renewals may be lost. */
const RENEW_MS = 10_000;

type LockResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly holder: LockHolder | null };

export interface LockHolder {
  readonly sessionId: string;
  readonly userId: string;
  readonly name: string;
}

const readField = (answer: unknown, key: string): unknown =>
  typeof answer === 'object' && answer !== null ? Reflect.get(answer, key) : undefined;

/** Reads the holder of a lock from a server's payload; null when it is missing or invalid. */
export function readHolder(holder: unknown): LockHolder | null {
  const [sessionId, userId, name] = ['sessionId', 'userId', 'name'].map((key) => readField(holder, key));
  if (typeof sessionId !== 'string' || typeof userId !== 'string' || typeof name !== 'string') return null;
  return { sessionId, userId, name };
}

interface HeldLocksDeps {
  readonly transport: CanvasTransport;
  readonly workflowId: string;
  readonly clock: ClientClock;
  /** Called when a lock was lost without a release by this client. */
  onLost(nodeId: string): void;
}

export class HeldLocks {
  readonly #deps: HeldLocksDeps;
  readonly #tokens = new Map<string, number>();
  #timer: object | number | null = null;
  /** Counts the calls of `dispose`: an answer that comes after one belongs to a canvas that has left the room. */
  #disposals = 0;

  constructor(deps: HeldLocksDeps) {
    this.#deps = deps;
  }

  get held(): readonly string[] {
    return [...this.#tokens.keys()];
  }

  /**
   * Locks a node for this client.
   * @param steal takes it from another tab of the same user, or from any holder that has not renewed it for 10 s
   * @returns on failure the conflicting holder, if any; code `OFFLINE` when no answer came before the connection was lost or the
   *   canvas was closed
   */
  async acquire(nodeId: string, steal: boolean): Promise<LockResult> {
    const { transport, workflowId } = this.#deps;
    const disposals = this.#disposals;
    const answer = await request(transport, 'node:lock', { workflowId, nodeId, steal });
    if (disposals !== this.#disposals) return { ok: false, code: 'OFFLINE', holder: null };
    const token = readField(answer, 'token');
    if (typeof token !== 'number') {
      const code = readField(answer, 'code');
      return {
        ok: false,
        code: typeof code === 'string' ? code : 'OFFLINE',
        holder: readHolder(readField(answer, 'holder')),
      };
    }
    this.#tokens.set(nodeId, token);
    this.#scheduleRenewal();
    return { ok: true };
  }

  async release(nodeId: string): Promise<void> {
    const token = this.#tokens.get(nodeId);
    if (token === undefined) return;
    this.#tokens.delete(nodeId);
    const { transport, workflowId } = this.#deps;
    await request(transport, 'node:unlock', { workflowId, nodeId, token });
  }

  #scheduleRenewal(): void {
    if (this.#timer !== null || this.#tokens.size === 0) return;
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#timer = null;
      this.#renew();
      this.#scheduleRenewal();
    }, RENEW_MS);
  }

  #renew(): void {
    const locks = [...this.#tokens].map(([nodeId, token]) => ({ nodeId, token }));
    const { transport, workflowId } = this.#deps;
    transport.emit('node:lock-renew', { workflowId, locks }, (answer) => {
      const lost = readField(answer, 'lost');
      for (const nodeId of Array.isArray(lost) ? lost : []) this.forget(nodeId);
    });
  }

  /** Drops a lock that the server ended, and reports it as lost. */
  forget(nodeId: unknown): void {
    if (typeof nodeId === 'string' && this.#tokens.delete(nodeId)) this.#deps.onLost(nodeId);
  }

  dispose(): void {
    this.#disposals += 1;
    if (this.#timer !== null) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#tokens.clear();
  }
}
