/**
 * The ports of a room: sessions, audience, store, clock, log. Socket.io and PostgreSQL implement them in production, a
 * deterministic simulation in tests.
 */
import type { Clock as Time } from '../../../base/clock.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { AppliedOp } from './operations.ts';
import type { JoinRequest } from './read-presence.ts';
import type { PatchOperation } from '../../../language/graph/definition/patch.ts';

export interface SendOptions {
  /** May be dropped when the receiver is slow. */
  readonly volatile?: boolean;
}

/**
 * One connected client: one per socket, shared by all its rooms. Rooms compare sessions by identity, so a replaced socket
 * cannot act for its successor.
 */
export interface Session {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly role: string;
  /** One per browser tab; the same one joining again replaces the session before it. */
  readonly clientId?: string;
  /** Returns the cached access decision and may start a re-check. False only after a denial. */
  mayEdit(): boolean;
  send(event: string, payload: object, options?: SendOptions): void;
  /** Disconnects the transport. */
  close(code: string): void;
}

export interface BroadcastOptions extends SendOptions {
  readonly except?: Session;
}

/** All connected members of one room. Messages are encoded once and keep their order, also relative to `Session.send`. */
export interface Audience {
  /** Adds a receiver of `broadcast`. Synchronous, like every method here. */
  add(session: Session): void;
  remove(session: Session): void;
  broadcast(event: string, payload: object, options?: BroadcastOptions): void;
  /** Sends one member a payload with the whole definition as its `schema`; each definition is encoded once. */
  sendSnapshot(session: Session, shown: SnapshotMessage): void;
}

/** An event that carries the whole definition. */
export interface SnapshotMessage {
  readonly event: string;
  /** The fields beside `schema`. */
  readonly payload: object;
  /** Identical object for an identical document: the encoder caches by it. */
  readonly schema: JsonObject;
}

/** Releases a snapshot slot once the client has taken what was sent in it. */
export type ReleaseSnapshot = () => void;

/** Bounds the snapshots in flight. */
export interface SnapshotSemaphore {
  /**
   * Waits until `bytes` may be sent to a session. The caller must release the slot, also when it sends nothing.
   * @returns the release; also after the session has disconnected, so the room must check its membership
   */
  acquire(session: Session, bytes: number): Promise<ReleaseSnapshot>;
}

/** A workflow and its organization: both are checked in every call. */
export interface RoomKey {
  readonly organizationId: string;
  readonly workflowId: string;
}

export type ExternalSource = 'composer' | 'rest' | 'activation' | 'unknown';

/** One history entry that another process wrote, or we wrote without getting the answer. */
export interface ExternalEntry {
  readonly historyId: string;
  readonly editVersion: number;
  readonly userId: string | null;
  readonly source: ExternalSource;
}

/** The workflow's row, with the history after a given version, oldest first. */
export interface ExternalState {
  readonly editVersion: number;
  readonly document: JsonObject;
  readonly entries: readonly ExternalEntry[];
}

/** An accepted operation in the write-ahead log: as it was applied, not as it was sent. */
export interface WalRow extends RoomKey {
  readonly epoch: bigint;
  readonly version: number;
  readonly opId: string;
  readonly userId: string;
  /** JSON; replayed by the reducer of this folder. */
  readonly op: AppliedOp;
  /** Hash of the sent operation: detects a reused opId after a restart. */
  readonly contentHash: string;
  readonly baseEditVersion: number;
  /** Set when a save contained the operation before its row was written: it answers duplicates and is not replayed. */
  readonly savedIn: number | null;
}

/** A saved operation of an earlier epoch; it answers duplicates. */
export interface RememberedOp {
  readonly opId: string;
  readonly contentHash: string;
  readonly version: number;
  readonly savedIn: number;
}

export type LoadResult =
  | {
      readonly outcome: 'loaded';
      readonly epoch: bigint;
      /** null in the row counts as 0. */
      readonly editVersion: number;
      readonly document: JsonObject;
      /** Unsaved operations of older epochs, ordered by (epoch, version). */
      readonly unsaved: readonly WalRow[];
      readonly remembered: readonly RememberedOp[];
    }
  | { readonly outcome: 'not-found' }
  /** Another node holds the lease; `url` is where this node reaches it. */
  | { readonly outcome: 'owned-elsewhere'; readonly url: string | null };

/** The columns that mirror the metadata; a missing one keeps its value. */
export interface MirroredColumns {
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly tags?: readonly string[];
}

export interface SaveRequest extends RoomKey {
  readonly epoch: bigint;
  /** Compare-and-set: the save happens only on top of this edit_version. */
  readonly baseEditVersion: number;
  readonly documentJson: string;
  readonly patches: readonly PatchOperation[];
  readonly mirrors: MirroredColumns;
  /** Author of the last operation of the save. */
  readonly userId: string;
  /** The other authors. */
  readonly contributors: readonly string[];
  /** Of the history row; a new one for each attempt. */
  readonly historyId: string;
  /** Operations of this epoch up to here, and all of older epochs, are saved by this. */
  readonly savedThrough: number;
  /** Order-independent hash of the document. */
  readonly stateHash: string;
}

export type SaveResult =
  | { readonly outcome: 'saved'; readonly editVersion: number }
  | { readonly outcome: 'lease-lost' }
  | { readonly outcome: 'row-gone' }
  /** edit_version was not the base: `entries` begin after `baseEditVersion`. */
  | ({ readonly outcome: 'external' } & ExternalState)
  /** The database rejects this document for good (SQLSTATE class 22, 23 or 54). */
  | { readonly outcome: 'refused'; readonly reason: string };

/** Operations of `epoch` up to version `through`, and all of older epochs, are contained in edit_version `savedIn`. */
export interface SavedRange {
  readonly epoch: bigint;
  readonly through: number;
  readonly savedIn: number;
}

/**
 * Persistence of rooms. When a method rejects, it is unknown whether its work was committed; calling it again is safe.
 */
export interface RoomStore {
  /**
   * Finds the row by (id, organization), then claims the lease under a new epoch. `not-found` claims nothing and does not
   * tell a missing workflow from one of another organization.
   */
  load(key: RoomKey): Promise<LoadResult>;
  /**
   * One statement: fence by (workflow, epoch) `FOR SHARE`, compare-and-set, history row, and `saved_in` on log rows
   * with `epoch < $epoch OR (epoch = $epoch AND version <= savedThrough)`.
   */
  save(request: SaveRequest): Promise<SaveResult>;
  /** Appends rows of many rooms. Rows whose lease is lost are left out; rows that exist already are kept. */
  appendOps(rows: readonly WalRow[]): Promise<void>;
  /**
   * Marks log rows as saved without a save: the stored document already equals their result, because later operations
   * reverted them or an external save overwrote them.
   */
  markOpsSaved(key: RoomKey, settled: SavedRange): Promise<void>;
  /** The row and the history after `sinceEditVersion`; null when the row is gone. */
  readExternal(key: RoomKey, sinceEditVersion: number): Promise<ExternalState | null>;
  /** Gives up the lease if it is still of this epoch. */
  release(key: RoomKey, epoch: bigint): Promise<void>;
}

/** Time, randomness and ids. */
export interface Clock extends Time {
  /** In [0, 1). */
  random(): number;
  newId(): string;
}

export interface RoomLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Rooms of other processes. */
export interface RemoteRooms {
  /**
   * Joins a room at its owner. Afterwards the session's events for it no longer come to this process's rooms.
   * @returns the owner's answer; null when it does not answer, or does not own the room any more
   */
  join(session: Session, request: JoinRequest, ownerUrl: string): Promise<Reply | null>;
}

export interface RoomPorts {
  readonly store: RoomStore;
  readonly clock: Clock;
  readonly log: RoomLog;
  readonly snapshots: SnapshotSemaphore;
  /** Missing: this process serves its own rooms alone. */
  readonly remote?: RemoteRooms;
  audience(key: RoomKey): Audience;
  /** Yields to the event loop between the slices of long work. */
  takeTurn(): Promise<void>;
}

/** The answer to a request, passed to Socket.io's acknowledgement callback as it is. */
export type Reply =
  | ({ readonly ok: true } & Readonly<Record<string, unknown>>)
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      readonly details?: unknown;
    };
