/**
 * Bounds the snapshots in flight: one for each socket, and a number of bytes for each organization and for the process.
 * Further ones wait, so that many concurrent joins or resyncs do not exhaust memory.
 */
import { FairSemaphore, type ShareLimits } from '../../../base/shares/fair-semaphore.ts';
import type { ReleaseSnapshot, Session, SnapshotSemaphore as Turns } from '../room/ports.ts';
import { toSocketSession } from './socket-session.ts';

const MIB = 1_048_576;
/** Eight of the largest definitions (4 MiB) for an organization, four such organizations for a process. */
export const SNAPSHOT_LIMITS: ShareLimits = { capacity: 128 * MIB, perOrganization: 32 * MIB };

export class SocketSnapshotSemaphore implements Turns {
  readonly #shares: FairSemaphore;

  constructor(limits = SNAPSHOT_LIMITS) {
    this.#shares = new FairSemaphore(limits);
  }

  /** Bytes in flight. */
  get held(): number {
    return this.#shares.held;
  }

  /** Bytes of one organization in flight. */
  heldBy(organizationId: string): number {
    return this.#shares.heldBy(organizationId);
  }

  async acquire(session: Session, bytes: number): Promise<ReleaseSnapshot> {
    const socket = toSocketSession(session);
    const endTurn = await socket.acquireSnapshotSlot();
    try {
      const release = await this.#shares.acquire(socket.organizationId, {
        weight: Math.max(1, bytes),
        signal: socket.gone,
      });
      return () => {
        void socket.whenSnapshotTaken().then(() => {
          release();
          endTurn();
        });
      };
    } catch {
      // The connection has closed: the room finds that the session is no member and sends nothing.
      return endTurn;
    }
  }
}
