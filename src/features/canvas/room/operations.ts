/**
 * The durable operations of the canvas, as they are validated, applied, logged and broadcast. They set values and never
 * toggle, so that applying one twice is the same as once.
 */
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';

/** Parts of one batch, and entries of a list in an operation. */
export const MAX_BATCH_OPS = 1_000;
/** Approximate JSON text of one batch, in UTF-16 units. */
export const MAX_BATCH_SIZE = 512 * 1024;

export interface Position {
  readonly x: number;
  readonly y: number;
}

export interface Move {
  readonly nodeId: string;
  readonly position: Position;
}

/** A change inside one entity: a merge patch (RFC 7396), or JSON pointers, or both (the merge patch first). */
export interface Edit {
  readonly changes?: JsonObject;
  readonly set?: Readonly<Record<string, Json>>;
  readonly unset?: readonly string[];
}

/**
 * Gives a node another id, with everything that names it. The room applies and broadcasts it as the batch that it amounts to
 * by then, so what colleagues have edited meanwhile is renamed, too.
 */
export interface RenameOp {
  readonly type: 'node:rename';
  readonly nodeId: string;
  readonly newId: string;
}

export type SingleOp =
  | { readonly type: 'node:add'; readonly node: JsonObject; readonly index?: number }
  | { readonly type: 'node:move'; readonly nodeId: string; readonly position: Position }
  | { readonly type: 'nodes:move'; readonly moves: readonly Move[] }
  | ({ readonly type: 'node:update'; readonly nodeId: string } & Edit)
  | { readonly type: 'node:delete'; readonly nodeIds: readonly string[] }
  | { readonly type: 'edge:add'; readonly edge: JsonObject; readonly index?: number }
  | ({ readonly type: 'edge:update'; readonly edgeId: string } & Edit)
  | { readonly type: 'edge:delete'; readonly edgeIds: readonly string[] }
  | {
      readonly type: 'state-schema:update';
      readonly set?: Readonly<Record<string, Json>>;
      readonly unset?: readonly string[];
    }
  | ({ readonly type: 'config:update' } & Edit)
  | ({ readonly type: 'metadata:update' } & Edit)
  | { readonly type: 'workflow:update'; readonly values: JsonObject };

/**
 * Condition of a part: the value at `ptr` in the operation's entity equals `equals`, or has this `hash`, or is missing when
 * neither is given, with nothing but objects and lists around it. The empty pointer is the entity itself.
 */
export interface Guard {
  readonly ptr: string;
  readonly equals?: Json;
  readonly hash?: string;
}

export type SubOp = SingleOp & { readonly if?: Guard };

/** The room alone makes those of a renamed node. */
type BatchReason = 'undo' | 'redo' | 'paste' | 'import' | 'layout' | 'other' | 'rename';

export interface BatchOp {
  readonly type: 'batch';
  readonly ops: readonly SubOp[];
  readonly reason: BatchReason;
  /** Lenient (the default) skips parts that cannot be applied, or whose guard is not met; atomic rejects the whole batch. */
  readonly mode?: 'lenient' | 'atomic';
}

/** An operation as it is applied, logged and broadcast. */
export type AppliedOp = SingleOp | BatchOp;

/** An operation as a client sends it. */
export type DurableOp = AppliedOp | RenameOp;

/** Lists the ids of the nodes that an operation deletes. */
export function deletedNodes(op: DurableOp): readonly string[] {
  if (op.type === 'batch') return op.ops.flatMap(deletedNodes);
  return op.type === 'node:delete' ? op.nodeIds : [];
}

/** The broadcast event of each durable event. */
export const BROADCASTS = {
  'node:add': 'node:added',
  'node:move': 'node:moved',
  'nodes:move': 'nodes:moved',
  'node:update': 'node:updated',
  'node:delete': 'node:deleted',
  'edge:add': 'edge:added',
  'edge:update': 'edge:updated',
  'edge:delete': 'edge:deleted',
  'state-schema:update': 'state-schema:updated',
  'config:update': 'config:updated',
  'metadata:update': 'metadata:updated',
  'workflow:update': 'workflow:updated',
  'node:rename': 'batch:applied',
  batch: 'batch:applied',
} as const satisfies Readonly<Record<DurableOp['type'], string>>;

/** Names of durable events, as clients send them. */
export type DurableEvent = keyof typeof BROADCASTS;

/** Events that may also be parts of a batch. */
export type SingleEvent = SingleOp['type'];
