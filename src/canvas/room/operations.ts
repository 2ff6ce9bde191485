/**
 * The durable operations of the canvas: what is validated, applied, logged and broadcast. Every one writes values and
 * none toggles, so that a repetition cannot undo what it did.
 */
import type { Json, JsonObject } from '../../graph/value.ts';

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
 * Applies only if what `ptr` finds in the operation's entity is `equals`, or has this `hash`; with neither, only if
 * nothing is there. The empty pointer is the entity itself.
 */
export interface Guard {
  readonly ptr: string;
  readonly equals?: Json;
  readonly hash?: string;
}

export type SubOp = SingleOp & { readonly if?: Guard };

export type BatchReason = 'undo' | 'redo' | 'paste' | 'import' | 'layout' | 'other';

export interface BatchOp {
  readonly type: 'batch';
  readonly ops: readonly SubOp[];
  readonly reason: BatchReason;
  /** Lenient (the default) leaves out what cannot be applied; atomic refuses the whole. */
  readonly mode?: 'lenient' | 'atomic';
}

export type DurableOp = SingleOp | BatchOp;

/** The nodes that an operation deletes. */
export function deletedNodes(op: DurableOp): readonly string[] {
  if (op.type === 'batch') return op.ops.flatMap(deletedNodes);
  return op.type === 'node:delete' ? op.nodeIds : [];
}

/** The durable events, as clients send them, and the broadcast of each. */
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
  batch: 'batch:applied',
} as const satisfies Readonly<Record<DurableOp['type'], string>>;

/** Names of durable events, as clients send them. */
export type DurableEvent = keyof typeof BROADCASTS;
