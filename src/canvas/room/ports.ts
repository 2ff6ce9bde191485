/**
 * What a room stands on: sessions, the audience, the store, the clock, the log. Socket.io and PostgreSQL are behind
 * these in production, a deterministic simulation in the tests; a room knows neither.
 */
import type { Clock as Time } from '../../clock.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { DurableOp } from './operations.ts';
import type { PatchOperation } from '../../graph/diff.ts';

export interface SendOptions {
  /** May be dropped when the receiver is slow. */
  readonly volatile?: boolean;
}

/**
 * One connected client (one per socket, whichever rooms it is in). Rooms compare sessions by identity, so a superseded
 * socket cannot act for its successor.
 */
export interface Session {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly role: string;
  /** One per browser tab; the same one joining again replaces the session before it. */
  readonly clientId?: string;
  /** The decision that is known now: never waits, may start a re-check. False only when a denial is on record. */
  mayEdit(): boolean;
  send(event: string, payload: object, options?: SendOptions): void;
  /** Disconnects the transport. */
  close(code: string): void;
}

export interface BroadcastOptions extends SendOptions {
  readonly except?: Session;
}

/** Everybody in one room: encoded once, delivered to all. Calls keep their order, also among `Session.send`. */
export interface Audience {
  /** From now on `toRoom` reaches this session. Synchronous, like everything here. */
  add(session: Session): void;
  remove(session: Session): void;
  toRoom(event: string, payload: object, options?: BroadcastOptions): void;
  /** Sends one member a payload with the whole definition as its `schema`, which is encoded once for all who get it. */
  show(session: Session, shown: Shown): void;
}

/** An event with a whole definition. */
export interface Shown {
  readonly event: string;
  /** The fields beside `schema`. */
  readonly payload: object;
  /** The same object for the same document. */
  readonly schema: JsonObject;
}

/** Ends a turn, once what was sent in it has been taken. */
export type EndTurn = () => void;

/** Turns of what holds a whole definition. */
export interface SnapshotTurns {
  /**
   * Waits until a session may be sent so many bytes. Whoever takes a turn ends it, also when nothing is sent.
   * @returns also when the session has gone meanwhile: the room looks whether it is still there
   */
  take(session: Session, bytes: number): Promise<EndTurn>;
}

/** A workflow, named with its owner in every call. */
export interface RoomKey {
  readonly organizationId: string;
  readonly workflowId: string;
}

export type ExternalSource = 'composer' | 'rest' | 'activation' | 'unknown';

/** One history entry that somebody else wrote (or we did, and never got the answer). */
export interface ExternalEntry {
  readonly historyId: string;
  readonly editVersion: number;
  readonly userId: string | null;
  readonly source: ExternalSource;
}

/** The row as it is now, with the history after the version that was asked about, oldest first. */
export interface ExternalState {
  readonly editVersion: number;
  readonly document: JsonObject;
  readonly entries: readonly ExternalEntry[];
}

/** An accepted operation as it is logged: what was applied, not what was sent. */
export interface WalRow extends RoomKey {
  readonly epoch: bigint;
  readonly version: number;
  readonly opId: string;
  readonly userId: string;
  /** JSON; replayed by the reducer of this folder. */
  readonly op: DurableOp;
  /** Of what was sent, so that a reused opId is recognised after a restart. */
  readonly contentHash: string;
  readonly baseEditVersion: number;
  /** Set when a save covered the operation before its row was written: kept for duplicates only, never replayed. */
  readonly savedIn: number | null;
}

/** An operation of an earlier epoch that is saved already: it answers repetitions. */
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
      /** Not saved yet, of older epochs, ordered by (epoch, version). */
      readonly unsaved: readonly WalRow[];
      readonly remembered: readonly RememberedOp[];
    }
  | { readonly outcome: 'not-found' }
  /** Another node holds the lease. */
  | { readonly outcome: 'owned-elsewhere'; readonly url: string | null };

/** The columns that mirror the metadata; a missing one keeps its value. */
export interface Mirrors {
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
  readonly mirrors: Mirrors;
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
  /** The database will never take this document (SQLSTATE class 22 or 23). */
  | { readonly outcome: 'refused'; readonly reason: string };

/** Operations of `epoch` up to the version `through`, and all of older epochs, are in the save `savedIn`. */
export interface SettledOps {
  readonly epoch: bigint;
  readonly through: number;
  readonly savedIn: number;
}

/**
 * Where rooms persist. Every method may reject: then it is unknown whether the work was done, and the room asks again.
 */
export interface RoomStore {
  /**
   * Finds the row by (id, organization), then claims the lease under a new epoch. `not-found` claims nothing, and
   * takes the same path for a foreign workflow as for a missing one.
   */
  load(key: RoomKey): Promise<LoadResult>;
  /**
   * One statement: fence by (workflow, epoch) `FOR SHARE`, compare-and-set, history row, and `saved_in` on log rows
   * with `epoch < $epoch OR (epoch = $epoch AND version <= savedThrough)`.
   */
  save(request: SaveRequest): Promise<SaveResult>;
  /** Rows of many rooms, fenced by their epochs; a row of a lost lease is left out, one that is there is kept. */
  appendOps(rows: readonly WalRow[]): Promise<void>;
  /**
   * Marks log rows as `save` does, without a save: what they did is in the row of `savedIn` already, because later
   * operations took it back or somebody else's save left nothing of it.
   */
  settleOps(key: RoomKey, settled: SettledOps): Promise<void>;
  /** The row and the history after `sinceEditVersion`; null when the row is gone. */
  readExternal(key: RoomKey, sinceEditVersion: number): Promise<ExternalState | null>;
  /** Gives up the lease if it is still of this epoch. */
  release(key: RoomKey, epoch: bigint): Promise<void>;
}

/** Time and chance. */
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

export interface RoomPorts {
  readonly store: RoomStore;
  readonly clock: Clock;
  readonly log: RoomLog;
  readonly snapshots: SnapshotTurns;
  audience(key: RoomKey): Audience;
}

/** What a request is answered with: Socket.io's callback gets it as it is. */
export type Reply =
  | ({ readonly ok: true } & Readonly<Record<string, unknown>>)
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      readonly details?: unknown;
    };
