/** The locks of nodes whose fields are being edited here: acquired by an edit, released a while after the last one. */
import type { Canvas } from '../../../features/canvas/client/canvas.ts';
import type { RemotePresence } from '../../../features/canvas/client/presence.ts';
import { editorWords } from '../words-editor.ts';

const { notices } = editorWords;
const LET_GO_MS = 5_000;
/** A person who has not changed anything for this long keeps nobody waiting. */
const IDLE_MS = 30_000;

interface FieldLocksDeps {
  readonly client: () => Canvas['locks'];
  readonly presence: () => Pick<RemotePresence, 'findLock' | 'me'>;
  readonly warn: (text: string) => void;
  readonly inform: (text: string) => void;
}

export class FieldLocks {
  readonly #deps: FieldLocksDeps;
  /** Locks that are held or requested, and the timer that releases each. */
  readonly #held = new Map<string, number>();

  constructor(deps: FieldLocksDeps) {
    this.#deps = deps;
  }

  /** Acquires a node's lock when one of its fields changes; typing does not wait for the answer. */
  hold(nodeId: string): void {
    const isHeld = this.#held.has(nodeId);
    this.#holdFor(nodeId, IDLE_MS);
    if (isHeld) return;
    void this.#client.acquire(nodeId, false).then((answer) => {
      if (answer.ok) return undefined;
      const { holder } = answer;
      // Another tab of the same person is not where that person types now.
      if (holder !== null && holder.userId === this.#myUserId) return this.takeOver(nodeId);
      this.#forget(nodeId);
      if (holder !== null) this.#deps.warn(notices.locked(holder.name));
      return undefined;
    });
  }

  /** Releases the lock 5 s after its field is left, because the next click is often into another field of the node. */
  letGo(nodeId: string): void {
    if (this.#held.has(nodeId)) this.#holdFor(nodeId, LET_GO_MS);
  }

  /** Steals a lock: from another tab of the same person at once, from a colleague who has been away for 10 s. */
  async takeOver(nodeId: string): Promise<void> {
    const answer = await this.#client.acquire(nodeId, true);
    if (answer.ok) return this.#holdFor(nodeId, IDLE_MS);
    this.#forget(nodeId);
    this.#deps.inform(notices.stillThere(answer.holder?.name ?? notices.somebody));
  }

  /** Warns only when somebody else holds the lock: one that ended by itself is acquired again with the next key. */
  lose(nodeId: string): void {
    this.#forget(nodeId);
    const holder = this.#findOther(nodeId);
    if (holder !== null) this.#deps.warn(notices.lockLost(holder.name));
  }

  /** Drops locks that a colleague has stolen without waiting for the next renewal, up to 10 s later. */
  noticeTaken(): void {
    for (const nodeId of this.#client.held) if (this.#findOther(nodeId) !== null) this.#client.forget(nodeId);
  }

  get #client(): Canvas['locks'] {
    return this.#deps.client();
  }

  get #myUserId(): string | undefined {
    return this.#deps.presence().me?.userId;
  }

  /** The holder of a lock who is somebody else; null otherwise. */
  #findOther(nodeId: string): ReturnType<RemotePresence['findLock']> {
    const holder = this.#deps.presence().findLock(nodeId);
    return holder !== null && holder.userId !== this.#myUserId ? holder : null;
  }

  /** Releases a lock after this time unless it is held again before. */
  #holdFor(nodeId: string, ms: number): void {
    window.clearTimeout(this.#held.get(nodeId));
    const release = (): void => {
      this.#held.delete(nodeId);
      void this.#client.release(nodeId);
    };
    this.#held.set(nodeId, window.setTimeout(release, ms));
  }

  #forget(nodeId: string): void {
    window.clearTimeout(this.#held.get(nodeId));
    this.#held.delete(nodeId);
  }
}
