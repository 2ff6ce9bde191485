/**
 * Reduces a durable operation on a document: a pure function, the same on the server and in clients. Replaying the applied
 * operation on the same document gives the same result.
 */
import { canonicalJson } from '../../../language/graph/values/canonical-json.ts';
import { isContainer, sameJson, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { DocumentDraft } from './document-draft.ts';
import { WorkLimitExceeded } from '../../../language/graph/values/work-budget.ts';
import type { CanvasDocument } from './document.ts';
import { hashText } from './document-measures.ts';
import type { BatchOp, DurableOp, Guard, RenameOp, SingleOp, SubOp } from './operations.ts';
import { parsePointer, getAt } from '../../../language/graph/values/pointer.ts';
import { addEdge, deleteEdges, updateEdge } from './reduce-edges.ts';
import { addNode, deleteNodes, readId, moveNode, moveNodes, updateNode } from './reduce-nodes.ts';
import { updateSettings, updateStateSchema, updateWorkflow } from './reduce-settings.ts';
import {
  NOOP,
  toRejected,
  type AppliedSingle,
  type ReduceContext,
  type Reduction,
  type SingleReduction,
  type Skipped,
} from './reduction.ts';
import { expandRename } from './rename-node.ts';

/** Applies a single operation to a draft; a rejected one leaves the draft unchanged. */
export function reduceSingle(draft: DocumentDraft, op: SingleOp, context: ReduceContext): SingleReduction {
  switch (op.type) {
    case 'node:add':
      return addNode(draft, op);
    case 'node:move':
      return moveNode(draft, op);
    case 'nodes:move':
      return moveNodes(draft, op);
    case 'node:update':
      return updateNode(draft, op, context);
    case 'node:delete':
      return deleteNodes(draft, op, context);
    case 'edge:add':
      return addEdge(draft, op);
    case 'edge:update':
      return updateEdge(draft, op, context);
    case 'edge:delete':
      return deleteEdges(draft, op);
    case 'state-schema:update':
      return updateStateSchema(draft, op);
    case 'config:update':
    case 'metadata:update':
      return updateSettings(draft, op);
    case 'workflow:update':
      return updateWorkflow(draft, op);
  }
}

/** Finds the value that a guard's pointer is relative to: the entity that its operation changes. */
function findGuardedEntity(draft: DocumentDraft, op: SingleOp): Json | undefined {
  switch (op.type) {
    case 'node:add':
      return draft.node(readId(op.node));
    case 'node:move':
    case 'node:update':
      return draft.node(op.nodeId);
    case 'node:delete':
      return draft.node(op.nodeIds[0] ?? '');
    case 'edge:add':
      return draft.edge(readId(op.edge));
    case 'edge:update':
      return draft.edge(op.edgeId);
    case 'edge:delete':
      return draft.edge(op.edgeIds[0] ?? '');
    case 'config:update':
      return draft.topLevel('config');
    case 'metadata:update':
      return draft.topLevel('metadata');
    case 'state-schema:update':
      return Object.fromEntries(
        [...Object.keys(op.set ?? {}), ...(op.unset ?? [])].flatMap((name) => {
          const field = draft.stateField(name);
          return field === undefined ? [] : [[name, field]];
        }),
      );
    case 'workflow:update':
      return Object.fromEntries(
        Object.keys(op.values).flatMap((key) => {
          const value = draft.topLevel(key);
          return value === undefined ? [] : [[key, value]];
        }),
      );
    case 'nodes:move':
      return Object.fromEntries(
        op.moves.flatMap(({ nodeId }) => {
          const node = draft.node(nodeId);
          return node === undefined ? [] : [[nodeId, node]];
        }),
      );
  }
}

/** To write a character as canonical JSON and to hash it: 50 ns. */
const STEPS_PER_CHARACTER = 2;

/** Whether nothing stands at a place, nor a text or number where the objects around it would be: a write would replace that. */
function isFree(root: Json | undefined, tokens: readonly string[]): boolean {
  let value = root;
  for (const token of tokens) {
    if (value === undefined) return true;
    if (!isContainer(value)) return false;
    value = getAt(value, [token]);
  }
  return value === undefined;
}

function isGuardMet(draft: DocumentDraft, op: SingleOp, guard: Guard): boolean {
  const [entity, tokens] = [findGuardedEntity(draft, op), parsePointer(guard.ptr)];
  if (guard.equals === undefined && guard.hash === undefined) return isFree(entity, tokens);
  const found = getAt(entity, tokens);
  if (guard.equals !== undefined) return sameJson(found, guard.equals, draft.work);
  if (found === undefined) return false;
  const text = canonicalJson(found);
  draft.work.spend(text.length * STEPS_PER_CHARACTER);
  return hashText(text) === guard.hash;
}

function reduceSub(
  draft: DocumentDraft,
  { if: guard, ...op }: SubOp,
  context: ReduceContext,
): SingleReduction | 'unguarded' {
  if (guard !== undefined && !isGuardMet(draft, op, guard)) return 'unguarded';
  return reduceSingle(draft, op, context);
}

/** Applies a batch: each part sees the parts before it, and all have one version. */
function reduceBatch(draft: DocumentDraft, op: BatchOp, context: ReduceContext): Reduction {
  const done: AppliedSingle[] = [];
  const skipped: Skipped[] = [];
  for (const [index, sub] of op.ops.entries()) {
    const reduction = reduceSub(draft, sub, context);
    if (reduction !== 'unguarded' && reduction.outcome === 'applied') done.push(reduction);
    else if (reduction === 'unguarded' || reduction.outcome === 'rejected') {
      const code = reduction === 'unguarded' ? 'GUARD_FAILED' : reduction.code;
      if (op.mode === 'atomic') {
        return { outcome: 'rejected', code: 'BATCH_REJECTED', details: { index, code } };
      }
      skipped.push({ index, code });
    }
  }
  if (done.length === 0) return { outcome: 'noop', skipped };
  const { reason } = op;
  const body: JsonObject = { reason, ops: done.map((part) => ({ type: part.op.type, ...part.body })) };
  return {
    outcome: 'applied',
    document: draft.finish(),
    op: { type: 'batch', reason, ops: done.map((part) => part.op) },
    body,
    touched: done.flatMap((part) => part.touched),
    isNormalized: done.length < op.ops.length || done.some((part) => part.isNormalized),
    skipped,
  };
}

/** Applies a renaming as the batch that it amounts to, which its sender is told, too. */
function reduceRename(
  document: CanvasDocument,
  draft: DocumentDraft,
  op: RenameOp,
  context: ReduceContext,
): Reduction {
  const batch = expandRename(document, op);
  if (batch === null) return toRejected('NODE_NOT_FOUND', op.nodeId);
  if (op.nodeId === op.newId) return { ...NOOP, skipped: [] };
  // The state has one field of a name: the node's own would replace the one that is there.
  if (draft.stateField(op.newId) !== undefined) return toRejected('NODE_EXISTS', 'a state field has it');
  const reduction = reduceBatch(draft, batch, context);
  return reduction.outcome === 'applied' ? { ...reduction, isNormalized: true } : reduction;
}

function reduceOn(
  document: CanvasDocument,
  draft: DocumentDraft,
  op: DurableOp,
  context: ReduceContext,
): Reduction {
  if (op.type === 'batch') return reduceBatch(draft, op, context);
  if (op.type === 'node:rename') return reduceRename(document, draft, op, context);
  const reduction = reduceSingle(draft, op, context);
  switch (reduction.outcome) {
    case 'applied':
      return { ...reduction, document: draft.finish() };
    case 'noop':
      return { ...reduction, skipped: [] };
    case 'rejected':
      return reduction;
  }
}

/**
 * Applies an operation to a document, without changing either. One whose parts copy and compare too much together is rejected
 * whole, in each mode: a thousand parts may all change the largest node.
 */
export function reduce(document: CanvasDocument, op: DurableOp, context: ReduceContext): Reduction {
  const draft = new DocumentDraft(document, context.work);
  try {
    return reduceOn(document, draft, op, context);
  } catch (error) {
    if (!(error instanceof WorkLimitExceeded)) throw error;
    return toRejected('PAYLOAD_TOO_LARGE', 'its parts take too much work together');
  }
}
