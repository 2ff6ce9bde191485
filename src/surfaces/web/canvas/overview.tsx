/** The overview: with more nodes in view than can be mounted, the graph is drawn on one canvas and React Flow hides its nodes. */
import { useStoreApi, type ReactFlowState } from '@xyflow/react';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { editorWords } from '../words-editor.ts';
import type { FlowNode } from './binding.ts';
import { useEditing } from './context.ts';
import { draw } from './drawing.ts';
import type { Point } from './geometry.ts';

/** Nodes in view above which the overview begins and below which it ends; the gap keeps it from flickering. */
const MANY = { enter: 400, leave: 320 };

const RUN_TONES: Readonly<Record<string, string>> = {
  running: '--wc-tone-6',
  retrying: '--wc-tone-6',
  waiting: '--wc-tone-7',
  completed: '--wc-tone-4',
  failed: '--wc-tone-5',
};

const readFlowNodes = ({ nodes }: ReactFlowState): readonly FlowNode[] => nodes as unknown as FlowNode[];

function countInView(state: ReactFlowState): number {
  const [x, y, zoom] = state.transform;
  const [left, top] = [-x / zoom, -y / zoom];
  const [right, bottom] = [left + state.width / zoom, top + state.height / zoom];
  return readFlowNodes(state).filter(
    ({ position, width, height }) =>
      position.x < right && position.y < bottom && position.x + width > left && position.y + height > top,
  ).length;
}

/** Whether the overview is shown. */
export function useIsOverview(): boolean {
  const store = useStoreApi();
  const [isOverview, setOverview] = useState(false);
  useEffect(() => {
    let is = false;
    return store.subscribe((state, before) => {
      if (
        state.nodes === before.nodes &&
        state.transform === before.transform &&
        state.width === before.width
      )
        return;
      const many = is ? MANY.leave : MANY.enter;
      const next = state.nodes.length > many && countInView(state) > many;
      if (next !== is) setOverview(next);
      is = next;
    });
  }, [store]);
  return isOverview;
}

/** Finds the node at a place of the canvas; the uppermost of several. */
export const findNodeAt = (nodes: readonly FlowNode[], at: Point): FlowNode | undefined =>
  nodes.findLast(
    ({ type, position, width, height }) =>
      type === 'kind' &&
      at.x >= position.x &&
      at.x <= position.x + width &&
      at.y >= position.y &&
      at.y <= position.y + height,
  );

export function Overview() {
  const { connection } = useEditing();
  const store = useStoreApi();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme();
  useEffect(() => {
    let frame = 0;
    const paint = (): void => {
      frame = 0;
      const state = store.getState();
      const [x, y, zoom] = state.transform;
      const findTone = (id: string): string | undefined => RUN_TONES[connection.board.node(id)?.status ?? ''];
      if (canvas.current !== null)
        draw(
          canvas.current,
          { x, y, zoom },
          { nodes: readFlowNodes(state), document: connection.view, findTone },
        );
    };
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(paint);
    };
    paint();
    const stops = [store.subscribe(later), connection.board.subscribe(later)];
    return () => {
      cancelAnimationFrame(frame);
      for (const stop of stops) stop();
    };
  }, [store, connection, scheme]);
  return <canvas ref={canvas} className="wc-overview" role="img" aria-label={editorWords.canvas.overview} />;
}
