/** Edges: a curve, its condition in words, and the button that inserts a node into it. */
import { BaseEdge, EdgeLabelRenderer, getBezierPath, type EdgeProps } from '@xyflow/react';
import { AlertTriangle, Plus } from 'lucide-react';
import { memo, useSyncExternalStore } from 'react';
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import { ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { joinMessages } from '../forms/problem-words.ts';
import { editorWords } from '../words-editor.ts';
import { listEdges, readEdge } from './binding.ts';
import { useEdgeProblems, useEditing } from './context.ts';
import { findEdgeState, indexEdges, type EdgeIndex } from './edge-state.ts';
import { useHover } from './use-hover.ts';

/** The index of a document, which does not change, for all of its edges. */
const indexed = new WeakMap<CanvasDocument, EdgeIndex>();

function indexOnce(document: CanvasDocument): EdgeIndex {
  const index = indexed.get(document) ?? indexEdges(listEdges(document));
  indexed.set(document, index);
  return index;
}

function useEdgeState(id: string, edge: JsonObject): string {
  const { connection } = useEditing();
  const { board } = connection;
  return useSyncExternalStore(board.subscribe, () =>
    board.run.status === ''
      ? ''
      : findEdgeState((nodeId) => board.node(nodeId), readEdge(id, edge), indexOnce(connection.view)),
  );
}

export const FlowEdgeView = memo(function FlowEdgeView(props: EdgeProps) {
  const { id, selected, data } = props;
  const { openAdd } = useEditing();
  const edge = data?.['edge'] as JsonObject;
  const state = useEdgeState(id, edge);
  const [path, x, y] = getBezierPath(props);
  const hasCondition = ownValue(edge, 'when') !== undefined;
  const problems = useEdgeProblems(id);
  const { isHovered, parts } = useHover();
  const canInsert = selected === true || isHovered;
  const classes = [
    'wc-edge',
    selected === true && 'wc-edge-selected',
    state !== '' && `wc-edge-${state}`,
    problems.length > 0 && 'wc-edge-problem',
  ];
  return (
    <>
      <BaseEdge id={id} path={path} className={classes.filter(Boolean).join(' ')} interactionWidth={0} />
      <path
        className="react-flow__edge-interaction"
        d={path}
        fill="none"
        strokeOpacity={0}
        strokeWidth={20}
        {...parts}
      />
      {(canInsert || hasCondition || problems.length > 0) && (
        <EdgeLabelRenderer>
          <div
            {...parts}
            className="wc-edge-label nodrag nopan"
            style={{ transform: `translate(-50%,-50%) translate(${x}px,${y}px)` }}
          >
            {problems.length > 0 && (
              <span className="wc-problem wc-problem-error" title={joinMessages(problems)}>
                <AlertTriangle size={14} aria-label={joinMessages(problems)} />
              </span>
            )}
            {hasCondition && <span>{editorWords.edge.condition}</span>}
            {canInsert && (
              <button
                type="button"
                aria-label={editorWords.edge.insert}
                title={editorWords.edge.insert}
                onClick={({ clientX, clientY }) =>
                  openAdd({
                    screen: { x: clientX, y: clientY },
                    flow: { x: x - 120, y: y - 32 },
                    origin: { from: 'edge', edgeId: id },
                  })
                }
              >
                <Plus size={14} aria-hidden />
              </button>
            )}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
