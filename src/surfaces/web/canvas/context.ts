/** The open editor for its components: each hook subscribes to one thing and renders for nothing else. */
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import type { WorkflowClient } from '../../client/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { Point } from './geometry.ts';
import type { Origin } from './add-node.ts';
import { hasPin } from './pins.ts';
import type { NodeRun, RunState, StepText } from './run-board.ts';
import type { Problems } from './problems.ts';
import type { Proposal } from './proposal.ts';
import type { CanvasConnection, SaveState } from './canvas-connection.ts';
import type { CommandId } from './commands.ts';

export interface Editing {
  readonly connection: CanvasConnection;
  readonly problems: Problems;
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly run: (id: CommandId) => void;
  readonly openAdd: (anchor: AddAnchor) => void;
  /** Opens the menu for a node after a handle. */
  readonly addAfter: (from: { readonly source: string; readonly handle: string }, screen: Point) => void;
  /** Shows a change of the whole workflow, for its user to accept. */
  readonly propose: (proposal: Proposal) => void;
}

/** The place of a new node, on the screen and on the canvas, and its origin. */
export interface AddAnchor {
  readonly screen: { readonly x: number; readonly y: number };
  readonly flow: { readonly x: number; readonly y: number };
  readonly origin: Origin;
}

/** A dialog that a command opens. */
export type Dialog =
  | { readonly kind: 'add'; readonly anchor: AddAnchor }
  | { readonly kind: 'search' | 'palette' | 'help' | 'run' | 'deploy' }
  | { readonly kind: 'connect'; readonly source: string }
  /** On the screen: under a node, or where the pointer is. */
  | { readonly kind: 'menu'; readonly at: Point }
  | { readonly kind: 'rerun'; readonly nodeId: string };

export const EditingContext = createContext<Editing | null>(null);

/** @throws where no editor is around it: a mistake of the program */
export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === null) throw new Error('this component stands outside the editor');
  return editing;
}

export function useSaveState(): SaveState {
  const { connection } = useEditing();
  return useSyncExternalStore(connection.subscribe, () => connection.state);
}

export function useNode(id: string): JsonObject | undefined {
  const { connection } = useEditing();
  return useSyncExternalStore(connection.subscribe, () => connection.node(id));
}

/** A node that a colleague has deleted while its form had the focus, as it was; undefined for any other. */
export function useHeldNode(id: string): JsonObject | undefined {
  const { drafts } = useEditing().connection;
  return useSyncExternalStore(drafts.subscribe, () => drafts.held.node(id));
}

export function useHasPin(id: string): boolean {
  const { connection } = useEditing();
  return useSyncExternalStore(connection.subscribe, () => hasPin(connection.view, id));
}

export function useNodeRun(id: string): NodeRun | undefined {
  const { board } = useEditing().connection;
  return useSyncExternalStore(board.subscribe, () => board.node(id));
}

/** Whether a node has been edited since the shown run executed it. */
export function useIsEdited(id: string, node: JsonObject): boolean {
  const { board } = useEditing().connection;
  return useSyncExternalStore(board.subscribe, () => board.isEdited(id, node));
}

/** The texts that models are writing at a node, step by step. */
export function useNodeTexts(id: string): readonly StepText[] {
  const { board } = useEditing().connection;
  return useSyncExternalStore(board.subscribe, () => board.texts(id));
}

export function useRun(): RunState {
  const { board } = useEditing().connection;
  return useSyncExternalStore(board.subscribe, () => board.run);
}

/** The person who has locked a node, else the first who has selected it; read as one text, which compares. */
export function useVisitor(
  id: string,
): { readonly name: string; readonly color: string; readonly isLock: boolean } | null {
  const { collaborators } = useEditing().connection;
  const read = useCallback((): string => {
    const lock = collaborators.findLock(id);
    const person = collaborators.list.find(({ sessionId, selection }) =>
      lock === null ? selection.nodeIds.includes(id) : sessionId === lock.sessionId,
    );
    if (person === undefined) return lock === null ? '' : `1\n#888888\n${lock.name}`;
    return `${lock === null ? 0 : 1}\n${person.color}\n${person.name}`;
  }, [collaborators, id]);
  const text = useSyncExternalStore(collaborators.subscribe, read);
  if (text === '') return null;
  const [isLock = '', color = '', name = ''] = text.split('\n');
  return { name, color, isLock: isLock === '1' };
}

/** Problems of one node. */
export function useNodeProblems(id: string): readonly Problem[] {
  const { problems } = useEditing();
  return useSyncExternalStore(problems.subscribe, () => problems.findByNode(id));
}

export function useEdgeProblems(id: string): readonly Problem[] {
  const { problems } = useEditing();
  return useSyncExternalStore(problems.subscribe, () => problems.findByEdge(id));
}
