/** The document of a canvas for what takes longer than a frame, such as comparing two definitions. */
import { useEffect, useState } from 'react';
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { CanvasConnection } from './canvas-connection.ts';

const QUIET_MS = 500;

/** Returns the document once nobody has edited it for a moment. */
export function useQuietView(connection: CanvasConnection): CanvasDocument {
  const [view, setView] = useState(connection.view);
  useEffect(() => {
    let timer = 0;
    const stop = connection.subscribe(() => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => setView(connection.view), QUIET_MS);
    });
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, [connection]);
  return view;
}
