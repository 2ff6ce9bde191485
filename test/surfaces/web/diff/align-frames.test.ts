/** The places of two compared graphs: if this fails, a node stands elsewhere in the one than in the other. */
import { expect, test } from 'vitest';
import { buildFrame } from '../../../../src/surfaces/web/canvas/build-frame.ts';
import { alignFrames, findBounds } from '../../../../src/surfaces/web/diff/align-frames.ts';

const graph = (...places: [string, number, number][]) =>
  ({
    nodes: places.map(([id, x, y]) => ({ id, type: 'transformer', position: { x, y }, config: {} })),
    edges: [],
  }) as never;

test('a node stands at one place in both graphs, one of the other graph has its place left, and none hides another', () => {
  const [first, second] = alignFrames(
    buildFrame(graph(['kept', 0, 0], ['gone', 800, 0])),
    buildFrame(graph(['kept', 400, 80], ['new', 800, 0])),
  );
  const places = ({ nodes }: typeof first) =>
    Object.fromEntries(nodes.map(({ id, position }) => [id, position]));
  expect(places(first)).toEqual(places(second));
  expect(places(first)).toMatchObject({ kept: { x: 400, y: 80 }, new: { x: 800, y: 0 } });
  expect(places(first)['gone']).toMatchObject({ x: 800 });
  expect(places(first)['gone']?.y).toBeGreaterThan(60);
  expect(findBounds(first.nodes.filter(({ type }) => type === 'kind'))).toMatchObject({ x: 400, y: 0 });
  expect(findBounds([])).toBeNull();
});
