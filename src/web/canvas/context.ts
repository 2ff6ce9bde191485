/** The open room, and what of it a component asks for: each hook hears of one thing and renders for nothing else. */
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { Problem } from '../../graph/definition.ts';
import type { WorkflowClient } from '../../client/client.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { Point } from './geometry.ts';
import type { Origin } from './gestures.ts';
import { hasPin } from './pins.ts';
import type { NodeRun, RunState } from './run-board.ts';
import type { Problems } from './problems.ts';
import type { Proposal } from './proposal.ts';
import type { Room, SaveState } from './room.ts';
import type { CommandId } from './commands.ts';

export interface Editing {
  readonly room: Room;
  readonly problems: Problems;
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly run: (id: CommandId) => void;
  readonly openAdd: (anchor: AddAnchor) => void;
  /** Shows a change of the whole workflow, for its user to accept. */
  readonly propose: (proposal: Proposal) => void;
}

/** Where a new node is wanted: on the screen, on the canvas, and what it comes from. */
export interface AddAnchor {
  readonly screen: { readonly x: number; readonly y: number };
  readonly flow: { readonly x: number; readonly y: number };
  readonly origin: Origin;
}

/** What a command may open. */
export type Dialog =
  | { readonly kind: 'add'; readonly anchor: AddAnchor }
  | { readonly kind: 'search' | 'palette' | 'help' | 'run' }
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
  const { room } = useEditing();
  return useSyncExternalStore(room.subscribe, () => room.state);
}

export function useNode(id: string): JsonObject | undefined {
  const { room } = useEditing();
  return useSyncExternalStore(room.subscribe, () => room.node(id));
}

export function useHasPin(id: string): boolean {
  const { room } = useEditing();
  return useSyncExternalStore(room.subscribe, () => hasPin(room.view, id));
}

export function useNodeRun(id: string): NodeRun | undefined {
  const { board } = useEditing().room;
  return useSyncExternalStore(board.subscribe, () => board.node(id));
}

/** What a model says at a node right now. */
export function useNodeText(id: string): string {
  const { board } = useEditing().room;
  return useSyncExternalStore(board.subscribe, () => board.text(id));
}

export function useRun(): RunState {
  const { board } = useEditing().room;
  return useSyncExternalStore(board.subscribe, () => board.run);
}

/** Who has selected or locked a node: `name colour` of the first, as a text so that it compares. */
export function useVisitor(
  id: string,
): { readonly name: string; readonly color: string; readonly isLock: boolean } | null {
  const { crowd } = useEditing().room;
  const read = useCallback((): string => {
    const lock = crowd.findLock(id);
    const person = crowd.list.find(({ sessionId, selection }) =>
      lock === null ? selection.nodeIds.includes(id) : sessionId === lock.sessionId,
    );
    if (person === undefined) return lock === null ? '' : `1\n#888888\n${lock.name}`;
    return `${lock === null ? 0 : 1}\n${person.color}\n${person.name}`;
  }, [crowd, id]);
  const text = useSyncExternalStore(crowd.subscribe, read);
  if (text === '') return null;
  const [isLock = '', color = '', name = ''] = text.split('\n');
  return { name, color, isLock: isLock === '1' };
}

/** Problems of one node. */
export function useNodeProblems(id: string): readonly Problem[] {
  const { problems } = useEditing();
  return useSyncExternalStore(problems.subscribe, () => problems.of(id));
}

export function useEdgeProblems(id: string): readonly Problem[] {
  const { problems } = useEditing();
  return useSyncExternalStore(problems.subscribe, () => problems.ofEdge(id));
}
