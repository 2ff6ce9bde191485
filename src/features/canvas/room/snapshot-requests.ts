/** Snapshot requests that wait for the semaphore: one per session, however often it sends `workflow:resync`. */
import type { Reply, Session, SnapshotSemaphore } from './ports.ts';

export class SnapshotRequests {
  readonly #semaphore: SnapshotSemaphore;
  readonly #waiting = new Map<Session, Promise<Reply>>();

  constructor(turns: SnapshotSemaphore) {
    this.#semaphore = turns;
  }

  /**
   * Sends a session a snapshot when the semaphore admits it. Repeated requests share one answer.
   * @param send sends the snapshot of that moment
   */
  send(session: Session, bytes: number, send: () => Reply): Promise<Reply> {
    const waiting = this.#waiting.get(session);
    if (waiting !== undefined) return waiting;
    const shown = this.#sendInTurn(session, bytes, send);
    this.#waiting.set(session, shown);
    return shown;
  }

  async #sendInTurn(session: Session, bytes: number, send: () => Reply): Promise<Reply> {
    const endTurn = await this.#semaphore.acquire(session, bytes);
    try {
      this.#waiting.delete(session);
      return send();
    } finally {
      endTurn();
    }
  }
}
