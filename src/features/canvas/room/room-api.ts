/** The interface between the socket server and the rooms: one method for each client event, notice and operator action. */
import type { ExternalSource, Reply, RoomKey, Session } from './ports.ts';

/** A notice that somebody else saved the workflow. */
export interface ExternalSaveNotice extends RoomKey {
  readonly editVersion: number;
  readonly source: ExternalSource;
  readonly userId?: string;
  readonly liveDeploymentId?: string;
}

export interface RoomCounts {
  readonly rooms: number;
  readonly sessions: { readonly total: number; readonly active: number; readonly idle: number };
  readonly unsavedOps: number;
  readonly degradedRooms: number;
}

/** A room's key, epoch and version, for sweeps and lease renewal. */
export interface LiveRoom extends RoomKey {
  readonly epoch: bigint;
  /** The last edit_version that the room knows of. */
  readonly editVersion: number;
}

interface RoomLimits {
  readonly opsPerSec: number;
  readonly opBurst: number;
}

export interface RoomOptions {
  /** REALTIME_MAX_LAG; null lets the allowed lag follow the traffic. */
  readonly pinnedMaxLag: number | null;
  /** Sent to clients in `workflow:joined`; enforced by the socket server. */
  readonly limits: RoomLimits;
}

/**
 * All rooms of this process. Payloads are unchecked input. A returned `Reply` goes to the Socket.io callback; the room
 * itself sends the events that belong to it.
 */
export interface RoomApi {
  /** `workflow:join`; sends `workflow:joined` or `workflow:join-error`. */
  join(session: Session, payload: unknown): Promise<Reply>;
  /** `workflow:leave`: removes the session without a grace period. */
  leave(session: Session, payload: unknown): Reply;
  /** `workflow:resync`: sends `workflow:snapshot`; requests that arrive before it is sent share it. */
  resync(session: Session, payload: unknown): Promise<Reply>;
  /** `workflow:flush`: replies after the save. */
  flush(session: Session, payload: unknown): Promise<Reply>;
  /** Applies a durable operation, named by its event. Synchronous: the order of calls is the order of versions. */
  apply(session: Session, event: string, payload: unknown): Reply;
  /** Whether an operation with this opId was accepted before; applying it again only repeats the acknowledgement. */
  isDuplicate(session: Session, payload: unknown): boolean;
  /** `node:drag`, `cursor:move`, `selection:update`, `presence:update`; invalid payloads are ignored. */
  updatePresence(session: Session, event: string, payload: unknown): void;
  /** `node:lock`, `node:lock-renew`, `node:unlock`. */
  handleLockRequest(session: Session, event: string, payload: unknown): Reply;
  /** The connection was lost: hides the cursor immediately, ends presence and locks after a grace period. */
  disconnect(session: Session): void;
  /** Lists the `workflowId`s of the rooms that the session is in or joining. */
  listRooms(session: Session): readonly string[];

  /** Adopts an external save that was announced or found by a sweep. */
  handleExternalSave(hint: ExternalSaveNotice): void;
  /** Another deployment is live, or none: emits `workflow:live-changed`. */
  handleLiveChange(key: RoomKey, liveDeploymentId: string | null): void;
  /** The workflow was deleted: emits `workflow:deleted` and closes the room without saving. */
  handleDeleted(key: RoomKey): void;
  /** Another node has the lease: emits `workflow:moved` and closes the room without saving. */
  handleMoved(key: RoomKey): void;
  /** Emits `workflow:access-revoked` and ends presence and locks, in the named room or in all rooms of the session. */
  revoke(session: Session, workflowId?: string): void;
  /** Saves the room. @returns true when all is saved; a workflow without a room has nothing to save */
  flushWorkflow(key: RoomKey): Promise<boolean>;
  /** From this monotonic time on, operations are rejected with OWNER_LOST: another process may own the rooms. */
  fenceFrom(at: number): void;
  listLive(): readonly LiveRoom[];
  counts(): RoomCounts;
  /**
   * Rejects joins and operations, saves all rooms (8 at a time) and releases their leases. To be called once.
   * @returns how many rooms could not be saved before the deadline
   */
  drain(deadlineMs: number): Promise<number>;
  /** Stops all timers and closes all rooms without saving. */
  dispose(): void;
}
