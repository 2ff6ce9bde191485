/** Keeps the view of the canvas: its beginning, and its place when a panel opens beside it. */
import { useStoreApi, type ReactFlowState } from '@xyflow/react';
import { useEffect } from 'react';
import type { Viewport } from './viewport.ts';

export function useViewport(viewport: Viewport, openNodeId: string | null): void {
  const store = useStoreApi();
  useEffect(() => {
    const isReady = ({ panZoom, width, nodes }: ReactFlowState): boolean =>
      panZoom !== null && width > 0 && nodes.length > 0;
    if (isReady(store.getState())) return viewport.showBeginning();
    const stop = store.subscribe((state) => {
      if (!isReady(state)) return;
      stop();
      viewport.showBeginning();
    });
    return stop;
  }, [viewport, store]);
  useEffect(
    () =>
      store.subscribe((state, before) => {
        // When a panel closes all stays in view where it was: the second click of two finds what the first one did.
        if (state.width < before.width) viewport.adapt(openNodeId);
      }),
    [viewport, store, openNodeId],
  );
  useEffect(() => {
    if (openNodeId !== null) viewport.reveal(openNodeId);
  }, [viewport, openNodeId]);
}
