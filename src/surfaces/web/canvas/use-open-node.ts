/** The node whose form is open, as one state with the selection and the address. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { PanelTab } from '../panel/panel.tsx';
import type { Actions } from './actions.ts';
import type { CanvasConnection } from './canvas-connection.ts';
import type { GestureContext } from './use-gestures.ts';

interface OpenNodeProps {
  readonly connection: CanvasConnection;
  /** The node that the address opens. */
  readonly node?: string;
  /** Another node is open, or none: the address should say so. */
  readonly onNavigate?: (to: { readonly node?: string }) => void;
}

/**
 * The node whose form is open. It is the selected one, and the one that the address names: a key never reaches a node that is
 * not shown. The form stays the same one, with its focus, when its node gets another id.
 */
export function useOpenNode(
  { connection, node, onNavigate }: OpenNodeProps,
  actions: Actions,
  setTab: (tab: PanelTab) => void,
) {
  const [open, setOpen] = useState<string | null>(node ?? null);
  const [formKey, setFormKey] = useState(open);
  const latest = useRef(open);
  latest.current = open;
  const show = useCallback(
    (id: string | null) => {
      setOpen(id);
      setFormKey(id);
      onNavigate?.(id === null ? {} : { node: id });
    },
    [onNavigate],
  );
  const openNode = useCallback(
    (id: string | null) => {
      const { nodes, edges } = actions.selected;
      const isSelected = nodes.length === 1 && edges.length === 0 && nodes[0]?.id === id;
      if (id !== null && !isSelected) actions.select([id]);
      show(id);
      if (id !== null) setTab('node');
    },
    [actions, show, setTab],
  );
  /** Shows the form of the selected node in place of the open one; none where that is no node, or several are selected. */
  const follow: GestureContext['onSelect'] = useCallback(
    ({ nodes, edges }) => {
      const isNothing = nodes.length + edges.length === 0;
      const [only, another] = nodes;
      const isOne = another === undefined && edges.length === 0 && only?.type === 'kind';
      const next = isOne ? only.id : null;
      if (latest.current !== null && !isNothing && next !== latest.current) show(next);
    },
    [show],
  );
  useEffect(() => {
    if (node !== undefined && latest.current === node) actions.select([node]);
  }, [actions, node]);
  useEffect(
    () =>
      connection.onRename(({ nodeId, newId }) => {
        if (nodeId !== open) return;
        setOpen(newId);
        onNavigate?.({ node: newId });
      }),
    [connection, open, onNavigate],
  );
  return { open, formKey, openNode, follow };
}
