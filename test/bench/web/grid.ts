/** Canvases of a grid of nodes, and the way to its nodes in an editor. */
import type { Bench } from '../system.ts';
import type { Watched } from './editor.ts';

/** A grid of nodes, each joined to the one below and every third to the one beside it. */
export async function makeGrid(bench: Bench, count: number): Promise<string> {
  const columns = Math.ceil(Math.sqrt(count));
  const nodes = Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    type: 'transformer',
    name: `Node ${index}`,
    position: { x: (index % columns) * 312, y: Math.floor(index / columns) * 120 },
    config: { mode: 'map', fields: { value: index } },
  }));
  const edges = nodes.flatMap((_, index) => [
    ...(index + 1 < count ? [{ id: `e${index}`, source: `n${index}`, target: `n${index + 1}` }] : []),
    ...(index % 3 === 0 && index + columns < count
      ? [{ id: `f${index}`, source: `n${index}`, target: `n${index + columns}` }]
      : []),
  ]);
  const tenant = await bench.tenant(0);
  const made = await tenant.post('/workflows', { name: `grid ${count}`, workflow_schema: { nodes, edges } });
  return String(made['id']);
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** From the scale that a large graph opens at to one to one. */
export async function zoomIn({ page }: Watched): Promise<void> {
  await page.locator('.react-flow').focus();
  for (let step = 0; step < 5; step += 1) {
    await page.keyboard.press('+');
    await page.waitForTimeout(250);
  }
}

export interface Found {
  readonly what: string;
  readonly value: number;
  /** Else the value is milliseconds. */
  readonly text?: string;
}
