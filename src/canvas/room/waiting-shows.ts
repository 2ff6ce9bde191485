/** Snapshots that are asked for and wait for their turns: one for each session, however often it asks. */
import type { Reply, Session, SnapshotTurns } from './ports.ts';

export class WaitingShows {
  readonly #turns: SnapshotTurns;
  readonly #waiting = new Map<Session, Promise<Reply>>();

  constructor(turns: SnapshotTurns) {
    this.#turns = turns;
  }

  /**
   * Shows the room to a session in its turn. Whoever asks again before that gets the same answer.
   * @param send sends the snapshot of that moment
   */
  show(session: Session, bytes: number, send: () => Reply): Promise<Reply> {
    const waiting = this.#waiting.get(session);
    if (waiting !== undefined) return waiting;
    const shown = this.#showInTurn(session, bytes, send);
    this.#waiting.set(session, shown);
    return shown;
  }

  async #showInTurn(session: Session, bytes: number, send: () => Reply): Promise<Reply> {
    const endTurn = await this.#turns.take(session, bytes);
    try {
      this.#waiting.delete(session);
      return send();
    } finally {
      endTurn();
    }
  }
}
