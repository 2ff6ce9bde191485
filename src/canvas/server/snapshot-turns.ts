/**
 * Turns of what holds a whole document: one at a time for each socket, and within the bytes that an organization and the process
 * have under way. Who finds no room waits, so that many who join at a time, or ask again and again, do not grow memory.
 */
import { FairSemaphore, type ShareLimits } from '../../shares/fair-semaphore.ts';
import type { EndTurn, Session, SnapshotTurns as Turns } from '../room/ports.ts';
import { socketSessionOf } from './socket-session.ts';

const MIB = 1_048_576;
/** Snapshots are as large as a definition at most: eight of the largest for an organization. */
export const SNAPSHOT_SHARES: ShareLimits = { capacity: 128 * MIB, perOrganization: 32 * MIB };

export class SnapshotTurns implements Turns {
  readonly #shares: FairSemaphore;

  constructor(limits = SNAPSHOT_SHARES) {
    this.#shares = new FairSemaphore(limits);
  }

  /** Bytes that are under way. */
  get held(): number {
    return this.#shares.held;
  }

  /** Bytes of one organization that are under way. */
  heldBy(organizationId: string): number {
    return this.#shares.heldBy(organizationId);
  }

  async take(session: Session, bytes: number): Promise<EndTurn> {
    const socket = socketSessionOf(session);
    const endTurn = await socket.awaitTurn();
    try {
      const release = await this.#shares.acquire(socket.organizationId, {
        weight: Math.max(1, bytes),
        signal: socket.gone,
      });
      return () => {
        void socket.whenTaken().then(() => {
          release();
          endTurn();
        });
      };
    } catch {
      // The connection has ended: the room finds nobody to send anything to.
      return endTurn;
    }
  }
}
