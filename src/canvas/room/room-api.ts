/** What a server of sockets calls: one door for each thing that a client, the database or an operator can do. */
import type { ExternalSource, Reply, RoomKey, Session } from './ports.ts';

/** Told by the database: somebody else saved. */
export interface ExternalHint extends RoomKey {
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

/** A live room as the sweep sees it. */
export interface LiveRoom extends RoomKey {
  readonly epoch: bigint;
  /** The last edit_version that the room knows of. */
  readonly editVersion: number;
}

export interface RoomLimits {
  readonly opsPerSec: number;
  readonly opBurst: number;
}

export interface RoomOptions {
  /** REALTIME_MAX_LAG; null lets the allowed lag follow the traffic. */
  readonly pinnedMaxLag: number | null;
  /** Told to clients in `workflow:joined`; enforced by the server of sockets. */
  readonly limits: RoomLimits;
}

/**
 * All rooms of this process. Payloads are whatever arrived: they are checked here. Every method that answers, answers
 * with what the Socket.io callback gets; events that belong to the answer are sent by the room itself.
 */
export interface RoomApi {
  /** `workflow:join`; sends `workflow:joined` or `workflow:join-error`. */
  join(session: Session, payload: unknown): Promise<Reply>;
  /** `workflow:leave`: gone at once. */
  leave(session: Session, payload: unknown): Reply;
  /** `workflow:resync`: a fresh `workflow:snapshot`, and one for all that are asked for before it is sent. */
  resync(session: Session, payload: unknown): Promise<Reply>;
  /** `workflow:flush`: answered after the save. */
  flush(session: Session, payload: unknown): Promise<Reply>;
  /** A durable operation, by the name of its event. Synchronous: order of calls is order of versions. */
  apply(session: Session, event: string, payload: unknown): Reply;
  /** Whether an operation was answered for good before: it is answered again, and changes nothing. */
  isRepetition(session: Session, payload: unknown): boolean;
  /** `node:drag`, `cursor:move`, `selection:update`, `presence:update`; what is wrong is ignored. */
  ephemeral(session: Session, event: string, payload: unknown): void;
  /** `node:lock`, `node:lock-renew`, `node:unlock`. */
  lock(session: Session, event: string, payload: unknown): Reply;
  /** The transport is gone: cursor at once, presence and locks after a grace. */
  lost(session: Session): void;
  /** Which rooms (`workflowId`s) the session is in. */
  roomsOf(session: Session): readonly string[];

  /** An external save was announced (or found by a sweep). */
  externalChange(hint: ExternalHint): void;
  /** The workflow was deleted: emit, evict, never save. */
  deleted(key: RoomKey): void;
  /** Another node has the lease: emit `workflow:moved`, close without saving. */
  moved(key: RoomKey): void;
  /** Access was revoked: emit `workflow:access-revoked`, drop presence and locks. Every room of the session if none is named. */
  revoke(session: Session, workflowId?: string): void;
  /** Saves what is unsaved; true when all of it is saved (a room that is not live has nothing to save). */
  flushWorkflow(key: RoomKey): Promise<boolean>;
  /** From this monotonic moment on operations are answered OWNER_LOST: after it another process may own the rooms. */
  fenceFrom(at: number): void;
  live(): readonly LiveRoom[];
  counts(): RoomCounts;
  /**
   * Refuses joins and operations, saves all rooms (8 at a time), releases their leases. To be called once.
   * @returns how many rooms could not be saved before the deadline
   */
  drain(deadlineMs: number): Promise<number>;
  /** Ends timers, sessions and maps, without saving. */
  dispose(): void;
}
