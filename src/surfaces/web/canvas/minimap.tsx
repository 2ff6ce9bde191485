/**
 * The minimap. React Flow's own mounts an element for each node, and each reads every write of the store: with 2,000 nodes that is
 * most of the cost of a drag. This one draws the nodes on a canvas, and moves only the frame of the visible part.
 */
import { Panel, useReactFlow, useStoreApi, type ReactFlowState } from '@xyflow/react';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { editorWords } from '../words-editor.ts';
import type { FlowNode } from './binding.ts';
import { draw, type View } from './drawing.ts';

const SIZE = { width: 200, height: 150 };
const MARGIN = 8;
/** Between two drawings while a node is dragged: at this size, more would not be seen. */
const REDRAW_MS = 250;

/** Fits all nodes into the map. */
function fitNodes(nodes: readonly FlowNode[]): View {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { position, width, height } of nodes) {
    left = Math.min(left, position.x);
    top = Math.min(top, position.y);
    right = Math.max(right, position.x + width);
    bottom = Math.max(bottom, position.y + height);
  }
  if (left === Infinity) return { x: 0, y: 0, zoom: 0.1 };
  const zoom = Math.min(
    (SIZE.width - 2 * MARGIN) / (right - left),
    (SIZE.height - 2 * MARGIN) / (bottom - top),
    0.2,
  );
  return {
    x: SIZE.width / 2 - ((left + right) / 2) * zoom,
    y: SIZE.height / 2 - ((top + bottom) / 2) * zoom,
    zoom,
  };
}

/** Draws changed nodes after a delay, and moves the frame of the visible part immediately. */
class SmallMap {
  readonly #canvas: HTMLCanvasElement;
  readonly #frame: HTMLElement;
  readonly #read: () => ReactFlowState;
  #view: View = { x: 0, y: 0, zoom: 0.1 };
  #timer = 0;

  constructor(canvas: HTMLCanvasElement, frame: HTMLElement, read: () => ReactFlowState) {
    this.#canvas = canvas;
    this.#frame = frame;
    this.#read = read;
    this.#draw();
  }

  readonly update = (state: ReactFlowState, before: ReactFlowState): void => {
    if (state.nodes !== before.nodes && this.#timer === 0)
      this.#timer = window.setTimeout(() => this.#draw(), REDRAW_MS);
    const isResized = state.width !== before.width || state.height !== before.height;
    if (state.transform !== before.transform || isResized) this.#place(state);
  };

  /** Converts a place on the map to canvas coordinates. */
  locate(event: PointerEvent): { readonly x: number; readonly y: number } {
    const box = this.#canvas.getBoundingClientRect();
    const { x, y, zoom } = this.#view;
    return { x: (event.clientX - box.left - x) / zoom, y: (event.clientY - box.top - y) / zoom };
  }

  dispose(): void {
    window.clearTimeout(this.#timer);
  }

  #draw(): void {
    this.#timer = 0;
    const state = this.#read();
    const nodes = state.nodes as unknown as FlowNode[];
    this.#view = fitNodes(nodes);
    draw(this.#canvas, this.#view, { nodes, document: null });
    this.#place(state);
  }

  #place({ transform: [tx, ty, scale], width, height }: ReactFlowState): void {
    const { x, y, zoom } = this.#view;
    const to = zoom / scale;
    this.#frame.style.transform = `translate(${x - tx * to}px, ${y - ty * to}px)`;
    this.#frame.style.width = `${width * to}px`;
    this.#frame.style.height = `${height * to}px`;
  }
}

export function Minimap() {
  const flow = useReactFlow();
  const store = useStoreApi();
  const scheme = useComputedColorScheme();
  const [canvas, frame] = [useRef<HTMLCanvasElement>(null), useRef<HTMLDivElement>(null)];
  useEffect(() => {
    const [element, visible] = [canvas.current, frame.current];
    if (element === null || visible === null) return;
    const map = new SmallMap(element, visible, store.getState);
    const go = (event: PointerEvent): void => {
      if (event.buttons !== 1) return;
      const { x, y } = map.locate(event);
      void flow.setCenter(x, y, { zoom: flow.getZoom() });
    };
    const begin = (event: PointerEvent): void => {
      element.setPointerCapture(event.pointerId);
      go(event);
    };
    // React's wheel listeners are passive, and could not keep the page from scrolling.
    const zoom = (event: WheelEvent): void => {
      event.preventDefault();
      void flow.zoomTo(flow.getZoom() * 2 ** (-event.deltaY * 0.002));
    };
    element.addEventListener('pointerdown', begin);
    element.addEventListener('pointermove', go);
    element.addEventListener('wheel', zoom, { passive: false });
    const stop = store.subscribe(map.update);
    return () => {
      stop();
      map.dispose();
      element.removeEventListener('pointerdown', begin);
      element.removeEventListener('pointermove', go);
      element.removeEventListener('wheel', zoom);
    };
    // Draws again in the colours of the other scheme.
  }, [flow, store, scheme, canvas, frame]);
  return (
    <Panel position="bottom-right" className="wc-minimap">
      <canvas ref={canvas} role="img" aria-label={editorWords.canvas.minimap} />
      <div ref={frame} className="wc-minimap-seen" />
    </Panel>
  );
}
