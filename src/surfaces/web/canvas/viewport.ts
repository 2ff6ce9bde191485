/** The part of the canvas in view: at first the beginning of the graph in a size that can be read, on request all of it. */
import type { ReactFlowInstance, useStoreApi } from '@xyflow/react';
import { START } from '../../../language/graph/definition/definition.ts';
import type { FlowNode } from './binding.ts';
import { END_SIZE, type Box, type Point } from './geometry.ts';

type FlowStore = ReturnType<typeof useStoreApi>;

/** The smallest text of a node has 12 px: at this zoom it has 11. */
const READABLE_ZOOM = 11 / 12;
/** Smallest zoom for automatic fitting: 7 px text. */
const SMALLEST_REFIT = 0.6;
/** The least that React Flow zooms to. */
export const MIN_ZOOM = 0.05;
const MARGIN_PX = 48;

/** How the view moves to its new part: gradually, unless the person asked their system for less motion. */
export const chooseMotion = (): { readonly duration: number } => ({
  duration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200,
});

export class Viewport {
  readonly #flow: ReactFlowInstance;
  readonly #store: FlowStore;
  /** Whether the whole graph was fitted last, and nobody has moved the view since. */
  #isFitted = false;

  constructor(flow: ReactFlowInstance, store: FlowStore) {
    this.#flow = flow;
    this.#store = store;
  }

  /** The middle of the view, in screen and in canvas coordinates. */
  get middle(): { readonly screen: Point; readonly flow: Point } {
    const box = document.querySelector('.react-flow')?.getBoundingClientRect();
    const screen = {
      x: (box?.left ?? 0) + (box?.width ?? 800) / 2,
      y: (box?.top ?? 0) + (box?.height ?? 600) / 2,
    };
    return { screen, flow: this.#flow.screenToFlowPosition(screen) };
  }

  /** Shows the whole graph where it can be read, else its beginning. */
  showBeginning(): void {
    const { bounds, zoom: fitting, height } = this.#measure();
    this.#isFitted = fitting >= READABLE_ZOOM;
    if (this.#isFitted) return this.#centre(bounds, fitting);
    const zoom = READABLE_ZOOM;
    const { position: start } = this.#nodes.find(({ id }) => id === START) ?? { position: bounds };
    const isLow = bounds.height * zoom <= height - 2 * MARGIN_PX;
    const middle = isLow ? bounds.y + bounds.height / 2 : start.y + END_SIZE.height / 2;
    void this.#flow.setViewport({ x: MARGIN_PX - start.x * zoom, y: height / 2 - middle * zoom, zoom });
  }

  /** Shows the whole graph. React Flow's fitView leaves out hidden nodes, and in the overview all are hidden. */
  fit(): void {
    if (this.#nodes.length === 0) return;
    this.#isFitted = true;
    const { bounds, zoom } = this.#measure();
    this.#centre(bounds, Math.max(zoom, MIN_ZOOM), chooseMotion());
  }

  /** Measures the graph, and the zoom at which all of it is in view. */
  #measure(): { readonly bounds: Box; readonly zoom: number; readonly height: number } {
    const { width, height } = this.#store.getState();
    const bounds = this.#flow.getNodesBounds(this.#nodes as never[]);
    const zoom = Math.min(
      (width - 2 * MARGIN_PX) / bounds.width,
      (height - 2 * MARGIN_PX) / bounds.height,
      1,
    );
    return { bounds, zoom, height };
  }

  #centre(bounds: Box, zoom: number, how: { readonly duration?: number } = {}): void {
    const { width, height } = this.#store.getState();
    const x = width / 2 - (bounds.x + bounds.width / 2) * zoom;
    const y = height / 2 - (bounds.y + bounds.height / 2) * zoom;
    void this.#flow.setViewport({ x, y, zoom }, how);
  }

  /**
   * Fits the graph again when a panel beside the canvas opens; where that would be too small to read, the open node
   * stays in view.
   */
  adapt(openNodeId: string | null): void {
    const { zoom } = this.#measure();
    const canRefit = zoom >= SMALLEST_REFIT || zoom >= this.#flow.getZoom();
    if (this.#isFitted && canRefit) this.fit();
    else if (openNodeId !== null) this.reveal(openNodeId);
  }

  /** Notes that a person has moved the view, which then stays. */
  release(): void {
    this.#isFitted = false;
  }

  zoomIn(): void {
    this.release();
    void this.#flow.zoomIn(chooseMotion());
  }
  zoomOut(): void {
    this.release();
    void this.#flow.zoomOut(chooseMotion());
  }

  /**
   * Brings a node into view. The size of the view is the one that React Flow knows: when a panel has just opened beside it,
   * `adapt` follows with the new one, and a fitted view must not be left before.
   */
  reveal(id: string): void {
    const node = this.#nodes.find((one) => one.id === id);
    const box = document.querySelector('.react-flow')?.getBoundingClientRect();
    if (node === undefined || box === undefined) return;
    const { width, height } = this.#store.getState();
    const corner = this.#flow.flowToScreenPosition(node.position);
    const zoom = this.#flow.getZoom();
    const isSeen =
      corner.x > box.left + 16 &&
      corner.x + node.width * zoom < box.left + width - 16 &&
      corner.y > box.top + 16 &&
      corner.y + node.height * zoom < box.top + height - 40;
    if (isSeen) return;
    this.release();
    const at = { x: node.position.x + node.width / 2, y: node.position.y + node.height / 2 };
    void this.#flow.setCenter(at.x, at.y, { ...chooseMotion(), zoom });
  }

  get #nodes(): FlowNode[] {
    return this.#flow.getNodes() as unknown as FlowNode[];
  }
}
