/** Sizes and handle offsets: a pure function of a node, so that no node is ever measured and culling works at once. */
import type { Handle } from '../../../language/nodes/face.ts';

export const GRID = 8;
export const NODE_WIDTH = 240;
const HEAD = 64;
const ROW = 24;
const HANDLE = 12;
/** Between columns and rows where a node is placed by rule. */
export const GAP_X = 96;
export const GAP_Y = 40;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface HandlePlace {
  readonly id: string | null;
  readonly type: 'source' | 'target';
  readonly position: 'left' | 'right';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Counts the rows below the head: one for each handle where there are several. */
export const countRows = (handles: readonly Handle[]): number => (handles.length > 1 ? handles.length : 0);

/** Computes the height of a node from its handles. */
export const measureHeight = (handles: readonly Handle[]): number =>
  HEAD + countRows(handles) * ROW + (countRows(handles) > 0 ? GRID : 0);

/** The middle of a handle, from the top of its node. */
export const handleTop = (handles: readonly Handle[], index: number): number =>
  handles.length > 1 ? HEAD + index * ROW + ROW / 2 : HEAD / 2;

const place = (id: string | null, type: 'source' | 'target', middle: number): HandlePlace => ({
  id,
  type,
  position: type === 'source' ? 'right' : 'left',
  x: type === 'source' ? NODE_WIDTH - HANDLE / 2 : -HANDLE / 2,
  y: middle - HANDLE / 2,
  width: HANDLE,
  height: HANDLE,
});

/** Places the handles of a node: the one of its incoming edges, and those of its outgoing ones. */
export function placeHandles(handles: readonly Handle[]): HandlePlace[] {
  return [
    place(null, 'target', HEAD / 2),
    ...handles.map(({ id }, index) => place(id, 'source', handleTop(handles, index))),
  ];
}

/** The two ends of the graph are small pills. */
export const END_SIZE = { width: 88, height: 40 } as const;

/** Places the handle of a start or end. */
export const placeEndHandle = (type: 'source' | 'target'): HandlePlace => ({
  id: type === 'source' ? 'default' : null,
  type,
  position: type === 'source' ? 'right' : 'left',
  x: type === 'source' ? END_SIZE.width - HANDLE / 2 : -HANDLE / 2,
  y: END_SIZE.height / 2 - HANDLE / 2,
  width: HANDLE,
  height: HANDLE,
});

/** Rounds a point to the grid. */
export const snap = ({ x, y }: Point): Point => ({
  x: Math.round(x / GRID) * GRID,
  y: Math.round(y / GRID) * GRID,
});

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width + GRID &&
  b.x < a.x + a.width + GRID &&
  a.y < b.y + b.height + GRID &&
  b.y < a.y + a.height + GRID;

/** Finds the first free place in the column of `wanted`: there, else below the boxes in the way. */
export function freePlace(wanted: Box, taken: readonly Box[]): Point {
  let at = { ...wanted, ...snap(wanted) };
  for (let tries = 0; tries <= taken.length; tries += 1) {
    const inTheWay = taken.find((box) => overlap(at, box));
    if (inTheWay === undefined) break;
    at = { ...at, y: Math.ceil((inTheWay.y + inTheWay.height + GAP_Y) / GRID) * GRID };
  }
  return { x: at.x, y: at.y };
}

/** Finds how far down a group of boxes has to move so that none of them overlaps a taken one. */
export function findFreeShift(group: readonly Box[], taken: readonly Box[]): number {
  const inReach = taken.filter((box) =>
    group.some(({ x, width }) => x < box.x + box.width + GRID && box.x < x + width + GRID),
  );
  let shift = 0;
  for (let tries = 0; tries <= group.length * inReach.length; tries += 1) {
    const down = Math.max(
      0,
      ...group.map((one) => {
        const at = { ...one, y: one.y + shift };
        const inTheWay = inReach.find((box) => overlap(at, box));
        return inTheWay === undefined ? 0 : inTheWay.y + inTheWay.height + GAP_Y - at.y;
      }),
    );
    if (down === 0) break;
    shift += Math.ceil(down / GRID) * GRID;
  }
  return shift;
}

export type Side = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

/** Moves boxes so that one of their sides, or their middles, stand in one line. */
export function align(boxes: ReadonlyMap<string, Box>, side: Side): Map<string, Point> {
  const all = [...boxes.values()];
  const left = Math.min(...all.map(({ x }) => x));
  const top = Math.min(...all.map(({ y }) => y));
  const right = Math.max(...all.map(({ x, width }) => x + width));
  const bottom = Math.max(...all.map(({ y, height }) => y + height));
  const places: Record<Side, (box: Box) => Point> = {
    left: ({ y }) => ({ x: left, y }),
    right: ({ y, width }) => ({ x: right - width, y }),
    center: ({ y, width }) => ({ x: (left + right - width) / 2, y }),
    top: ({ x }) => ({ x, y: top }),
    bottom: ({ x, height }) => ({ x, y: bottom - height }),
    middle: ({ x, height }) => ({ x, y: (top + bottom - height) / 2 }),
  };
  return new Map([...boxes].map(([id, box]) => [id, snap(places[side](box))]));
}
