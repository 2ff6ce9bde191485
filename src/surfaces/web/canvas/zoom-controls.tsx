/** The buttons that change the zoom, at the lower left of the canvas. */
import { Panel, useStore } from '@xyflow/react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { editorWords } from '../words-editor.ts';
import { Tool } from './tool.tsx';

export function ZoomControls() {
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  return (
    <Panel position="bottom-left" className="wc-zoom">
      <div role="toolbar" aria-label={editorWords.zoom.title}>
        <Tool id="zoomOut" label={editorWords.zoom.out} icon={ZoomOut} />
        <span className="wc-zoom-level">{percent} %</span>
        <Tool id="zoomIn" label={editorWords.zoom.in} icon={ZoomIn} />
        <Tool id="fit" label={editorWords.zoom.fit} icon={Maximize} />
      </div>
    </Panel>
  );
}
