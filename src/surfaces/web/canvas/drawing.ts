/** Draws the graph as boxes and lines on a 2D canvas, for views with too many nodes to mount. */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import { listEdges, readText, type FlowNode } from './binding.ts';
import { handleTop } from './geometry.ts';
import { findKindStyle } from './kinds.ts';

/** React Flow's transform: the canvas's origin on the screen, and the pixels of one of its units. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

interface Drawing {
  readonly nodes: readonly FlowNode[];
  /** Has the edges; null draws none. */
  readonly document: CanvasDocument | null;
  /** Overrides the colour of a node's kind with a CSS variable. */
  readonly findTone?: (nodeId: string) => string | undefined;
}

const NODE_TONES = { end: '--wc-tone-9', note: '--wc-tone-11' } as const;
const LINE_TONE = '--wc-tone-13';
const SELECTED_TONE = '--wc-accent';
const MIN_PX = 1.5;

const findKindTone = ({ data }: FlowNode): string =>
  data.kind === 'node' ? findKindStyle(readText(data.node, 'type')).color : NODE_TONES[data.kind];

/** Clears the canvas and gives it the resolution of the screen. @returns null without a 2D context */
function clearCanvas(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const [ratio, { clientWidth, clientHeight }] = [window.devicePixelRatio, canvas];
  const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, clientWidth, clientHeight);
  return context;
}

/** Draws the part of the graph that `view` shows. */
export function draw(canvas: HTMLCanvasElement, view: View, drawing: Drawing): void {
  const context = clearCanvas(canvas);
  if (context === null) return;
  const style = getComputedStyle(canvas);
  const colors = new Map<string, string>();
  const color = (tone: string): string => {
    let known = colors.get(tone);
    if (known === undefined) {
      known = style.getPropertyValue(tone.startsWith('--') ? tone : `--mantine-color-${tone}-6`);
      colors.set(tone, known);
    }
    return known;
  };
  if (drawing.document !== null) {
    context.strokeStyle = color(LINE_TONE);
    drawEdges(context, view, { nodes: drawing.nodes, document: drawing.document });
  }
  const { clientWidth, clientHeight } = canvas;
  for (const node of drawing.nodes) {
    const [x, y] = [node.position.x * view.zoom + view.x, node.position.y * view.zoom + view.y];
    const [width, height] = [node.width * view.zoom, node.height * view.zoom];
    if (x > clientWidth || y > clientHeight || x + width < 0 || y + height < 0) continue;
    context.fillStyle = color(drawing.findTone?.(node.id) ?? findKindTone(node));
    context.fillRect(x, y, Math.max(MIN_PX, width), Math.max(MIN_PX, height));
    if (node.selected !== true) continue;
    context.strokeStyle = color(SELECTED_TONE);
    context.lineWidth = 2;
    context.strokeRect(x - 2, y - 2, width + 4, height + 4);
  }
}

function drawEdges(
  context: CanvasRenderingContext2D,
  { x, y, zoom }: View,
  { nodes, document }: { readonly nodes: Drawing['nodes']; readonly document: CanvasDocument },
): void {
  const places = new Map(nodes.map((node) => [node.id, node]));
  const middle = handleTop([], 0);
  context.lineWidth = 1;
  context.beginPath();
  for (const { source, target } of listEdges(document)) {
    const [from, to] = [places.get(source), places.get(target)];
    if (from === undefined || to === undefined) continue;
    context.moveTo(
      (from.position.x + from.width) * zoom + x,
      (from.position.y + Math.min(middle, from.height / 2)) * zoom + y,
    );
    context.lineTo(to.position.x * zoom + x, (to.position.y + Math.min(middle, to.height / 2)) * zoom + y);
  }
  context.stroke();
}
