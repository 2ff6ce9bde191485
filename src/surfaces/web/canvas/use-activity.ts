/** Presence of this page beyond its pointer: where it looks, and whether it may be left. */
import type { useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';
import type { CanvasConnection } from './canvas-connection.ts';

const ACTIVITY_MS = 500;

/** Tells the others where this page looks, so that they can follow it, and asks before unsaved edits are left. */
export function useActivity(connection: CanvasConnection, flow: ReturnType<typeof useReactFlow>): void {
  useEffect(() => {
    let sent = '';
    const timer = window.setInterval(() => {
      const box = document.querySelector('.react-flow')?.getBoundingClientRect();
      if (box === undefined) return;
      const centre = flow.screenToFlowPosition({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
      const state = document.visibilityState === 'hidden' ? ('idle' as const) : ('active' as const);
      const activity = {
        state,
        viewport: { x: Math.round(centre.x), y: Math.round(centre.y), zoom: flow.getZoom() },
      };
      if (JSON.stringify(activity) === sent) return;
      sent = JSON.stringify(activity);
      connection.presence.activity(activity);
    }, ACTIVITY_MS);
    const onLeave = (event: BeforeUnloadEvent): void => {
      if (connection.canvas.unsent > 0 || connection.drafts.isSaving || connection.drafts.unsaved.length > 0)
        event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('beforeunload', onLeave);
    };
  }, [connection, flow]);
}
