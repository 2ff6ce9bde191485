/** The frames of groups behind their nodes. A click on the name selects the nodes; a double click or F2 edits it. */
import { useStore, ViewportPortal, type ReactFlowState } from '@xyflow/react';
import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { editorWords } from '../words-editor.ts';
import type { Actions } from './actions.ts';
import { useEditing } from './context.ts';
import { focusCanvas } from './use-keys.ts';
import { listGroups, renameGroup, type Group } from './groups.ts';

/** Between the nodes and their frame. */
const MARGIN = 24;
/** The height of the name above the nodes. */
const HEAD = 32;

/** Measures the frame around nodes: `x y width height`, or empty while none of them is drawn. */
function measureFrame({ nodeLookup }: ReactFlowState, nodes: readonly string[]): string {
  const boxes = nodes.flatMap((id) => {
    const node = nodeLookup.get(id);
    if (node === undefined) return [];
    const { x, y } = node.internals.positionAbsolute;
    return [{ x, y, right: x + (node.width ?? 0), bottom: y + (node.height ?? 0) }];
  });
  if (boxes.length === 0) return '';
  const x = Math.min(...boxes.map((box) => box.x)) - MARGIN;
  const y = Math.min(...boxes.map((box) => box.y)) - MARGIN - HEAD;
  const width = Math.max(...boxes.map((box) => box.right)) + MARGIN - x;
  const height = Math.max(...boxes.map((box) => box.bottom)) + MARGIN - y;
  return [x, y, width, height].join(' ');
}

function Frame({ group, actions }: { readonly group: Group; readonly actions: Actions }) {
  const { connection } = useEditing();
  const { id, name, nodes } = group;
  const [typed, setTyped] = useState<string | null>(null);
  // Read by the blur that Escape causes, before React renders again.
  const isCancelled = useRef(false);
  // A string compares equal, so that a drag of other nodes does not draw the frame again.
  const frame = useStore(useCallback((state: ReactFlowState) => measureFrame(state, nodes), [nodes]));
  if (frame === '') return null;
  const [x, y, width, height] = frame.split(' ').map(Number);
  const commit = (): void => {
    const isNew = typed !== null && typed.trim() !== '' && typed !== name;
    if (isNew && !isCancelled.current) connection.edit(renameGroup(id, typed), { label: 'rename group' });
    setTyped(null);
  };
  const edit = (): void => {
    isCancelled.current = false;
    setTyped(name);
  };
  return (
    <div
      className="wc-group"
      data-group={id}
      style={{ transform: `translate(${x}px,${y}px)`, width, height }}
    >
      {typed === null ? (
        <button
          type="button"
          className="nopan"
          aria-label={editorWords.group.select(name)}
          onClick={() => actions.select(nodes)}
          onDoubleClick={edit}
          onKeyDown={({ key }) => {
            if (key === 'F2') edit();
          }}
        >
          {name}
        </button>
      ) : (
        <input
          autoFocus
          className="nopan"
          aria-label={editorWords.group.name}
          value={typed}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            event.preventDefault();
            isCancelled.current = event.key === 'Escape';
            commit();
            focusCanvas();
          }}
        />
      )}
    </div>
  );
}

export function GroupFrames({ actions }: { readonly actions: Actions }) {
  const { connection } = useEditing();
  const view = useSyncExternalStore(connection.subscribe, () => connection.view);
  return (
    <ViewportPortal>
      {listGroups(view).map((group) => (
        <Frame key={group.id} group={group} actions={actions} />
      ))}
    </ViewportPortal>
  );
}
