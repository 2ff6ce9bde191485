/**
 * Automatic layout: columns from left to right by Sugiyama's method for layered graphs. It does not recurse, because a chain of
 * thousands of nodes would overflow the stack. It runs in a worker.
 */
import { GAP_X, GAP_Y, snap, type Box, type Point } from './geometry.ts';

export interface LayoutTask {
  readonly boxes: readonly (Box & { readonly id: string })[];
  readonly edges: readonly { readonly source: string; readonly target: string }[];
}

/** A box, or a bend: the point where a long edge passes a column. */
interface Vertex {
  /** Null: a bend. */
  readonly id: string | null;
  readonly width: number;
  /** The distances from the line of incoming edges to the top and the bottom. */
  readonly above: number;
  readonly below: number;
  readonly left: Vertex[];
  readonly right: Vertex[];
  rank: number;
  /** The order in its column. */
  order: number;
  /** The line of incoming edges. */
  y: number;
}

/** Incoming edges end at the middle of a node's head. */
const HEAD_MIDDLE = 32;
const SWEEPS = 12;
/** Bends of all edges together. Beyond this number, straighter edges are not worth the time; a guess. */
const MAX_BENDS = 20_000;

/** Lays out columns from left to right; the upper left corner of the boxes stays where it was. */
export function layOut({ boxes, edges }: LayoutTask): (Point & { readonly id: string })[] {
  const vertices = boxes.toSorted((a, b) => a.y - b.y || a.x - b.x).map(toVertex);
  const byId = new Map(vertices.map((vertex) => [vertex.id ?? '', vertex]));
  linkForward(vertices, listNeighbours(byId, edges));
  const placed = new Map<string, Point>();
  let top = 0;
  for (const part of splitIntoParts(vertices)) {
    rank(part);
    const columns = fillColumns(part);
    orderColumns(columns);
    alignColumns(columns);
    top = placeColumns(columns, top, placed);
  }
  const places = [...placed.values()];
  const shift = {
    x: Math.min(...boxes.map(({ x }) => x)) - Math.min(...places.map(({ x }) => x)),
    y: Math.min(...boxes.map(({ y }) => y)) - Math.min(...places.map(({ y }) => y)),
  };
  return boxes.map((box) => {
    const { x, y } = placed.get(box.id) ?? box;
    return { id: box.id, ...snap({ x: x + shift.x, y: y + shift.y }) };
  });
}

function toVertex({ id, y, width, height }: Box & { readonly id: string }): Vertex {
  const above = Math.min(HEAD_MIDDLE, height / 2);
  return { id, width, above, below: height - above, left: [], right: [], rank: 0, order: y, y: 0 };
}

/** Lists the vertices that edges lead to, each once. */
function listNeighbours(
  byId: ReadonlyMap<string, Vertex>,
  edges: LayoutTask['edges'],
): ReadonlyMap<Vertex, ReadonlySet<Vertex>> {
  const targets = new Map<Vertex, Set<Vertex>>();
  for (const edge of edges) {
    const [source, target] = [byId.get(edge.source), byId.get(edge.target)];
    if (source === undefined || target === undefined || source === target) continue;
    const known = targets.get(source) ?? new Set();
    targets.set(source, known.add(target));
  }
  return targets;
}

/** Links the vertices without cycles: an edge that leads back to a vertex on the current path is reversed. */
function linkForward(vertices: readonly Vertex[], targets: ReadonlyMap<Vertex, ReadonlySet<Vertex>>): void {
  const visited = new Set<Vertex>();
  const hasSource = new Set([...targets.values()].flatMap((set) => [...set]));
  const onPath = new Set<Vertex>();
  // Walks start at vertices without incoming edges; the others are reached from them, or are in a cycle.
  for (const start of [...vertices.filter((vertex) => !hasSource.has(vertex)), ...vertices]) {
    if (visited.has(start)) continue;
    visited.add(start);
    onPath.add(start);
    const path = [{ vertex: start, next: (targets.get(start) ?? new Set()).values() }];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { value: target, done } = last.next.next();
      if (done === true || target === undefined) {
        onPath.delete(last.vertex);
        path.pop();
        continue;
      }
      const [from, to] = onPath.has(target) ? [target, last.vertex] : [last.vertex, target];
      if (!from.right.includes(to)) {
        from.right.push(to);
        to.left.push(from);
      }
      if (visited.has(target)) continue;
      visited.add(target);
      onPath.add(target);
      path.push({ vertex: target, next: (targets.get(target) ?? new Set()).values() });
    }
  }
}

/** Splits the graph into its connected components, the highest first. */
function splitIntoParts(vertices: readonly Vertex[]): Vertex[][] {
  const seen = new Set<Vertex>();
  return vertices.flatMap((start) => {
    if (seen.has(start)) return [];
    seen.add(start);
    const part = [start];
    // The list grows while it is walked.
    for (const vertex of part)
      for (const next of [...vertex.left, ...vertex.right]) {
        if (seen.has(next)) continue;
        seen.add(next);
        part.push(next);
      }
    return [part];
  });
}

/** Gives each vertex its column: right of all its sources, and as near as possible to its targets. */
function rank(part: readonly Vertex[]): void {
  const waiting = new Map(part.map((vertex) => [vertex, vertex.left.length]));
  const sorted = part.filter(({ left }) => left.length === 0);
  for (const vertex of sorted) {
    vertex.rank = Math.max(0, ...vertex.left.map((before) => before.rank + 1));
    for (const next of vertex.right) {
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0) sorted.push(next);
    }
  }
  for (const vertex of sorted.toReversed())
    if (vertex.right.length > vertex.left.length)
      vertex.rank = Math.min(...vertex.right.map((next) => next.rank - 1));
}

/** Sorts vertices into columns; an edge that passes columns gets a bend in each. */
function fillColumns(part: readonly Vertex[]): Vertex[][] {
  const first = Math.min(...part.map((vertex) => vertex.rank));
  const columns: Vertex[][] = [];
  for (const vertex of part) (columns[vertex.rank - first] ??= []).push(vertex);
  let bends = 0;
  for (const vertex of part)
    for (const [index, target] of vertex.right.entries()) {
      const passed = target.rank - vertex.rank - 1;
      if (passed <= 0 || bends + passed > MAX_BENDS) continue;
      bends += passed;
      let before = vertex;
      for (let step = 1; step <= passed; step += 1) {
        const share = step / (passed + 1);
        const order = vertex.order + (target.order - vertex.order) * share;
        const bend: Vertex = {
          id: null,
          width: 0,
          above: 0,
          below: 0,
          left: [before],
          right: [],
          rank: 0,
          order,
          y: 0,
        };
        if (before === vertex) vertex.right[index] = bend;
        else before.right.push(bend);
        columns[vertex.rank - first + step]?.push(bend);
        before = bend;
      }
      before.right.push(target);
      target.left[target.left.indexOf(vertex)] = before;
    }
  return columns;
}

const average = (vertices: readonly Vertex[], read: (vertex: Vertex) => number): number =>
  vertices.reduce((sum, vertex) => sum + read(vertex), 0) / vertices.length;

/** Orders each column by the order of its neighbours, in sweeps from both sides. Ties keep the order on the canvas. */
function orderColumns(columns: readonly Vertex[][]): void {
  const sort = (column: Vertex[], sides: readonly ('left' | 'right')[]): void => {
    const keys = new Map(
      column.map((vertex) => {
        const near = sides.flatMap((side) => vertex[side]);
        return [vertex, near.length === 0 ? vertex.order : average(near, ({ order }) => order)];
      }),
    );
    column.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || a.order - b.order);
    for (const [index, vertex] of column.entries()) vertex.order = index - (column.length - 1) / 2;
  };
  for (const column of columns) sort(column, []);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    if (sweep % 2 === 0) for (const column of columns) sort(column, ['left']);
    else for (const column of columns.toReversed()) sort(column, ['right']);
  }
}

/** Moves the boxes of each column towards their neighbours' lines, as near as the order and the gaps allow. */
function alignColumns(columns: readonly Vertex[][]): void {
  for (const column of columns)
    spread(
      column,
      column.map(() => 0),
    );
  const move = (column: Vertex[], sides: readonly ('left' | 'right')[]): void =>
    spread(
      column,
      column.map((vertex) => {
        const near = sides.flatMap((side) => vertex[side]);
        return near.length === 0 ? vertex.y : average(near, ({ y }) => y);
      }),
    );
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of columns) move(column, ['left']);
    for (const column of columns.toReversed()) move(column, ['right']);
  }
  for (const column of columns) move(column, ['left', 'right']);
}

/**
 * Gives each box of a column the `y` that is nearest to its wish by least squares, without a change of the order: neighbours
 * that would overlap become a block at the mean of their wishes (pool adjacent violators).
 */
function spread(column: readonly Vertex[], wishes: readonly number[]): void {
  const offsets: number[] = [];
  let offset = 0;
  for (const [index, vertex] of column.entries()) {
    const before = column[index - 1];
    if (before !== undefined) offset += before.below + GAP_Y + vertex.above;
    offsets.push(offset);
  }
  const blocks: { sum: number; count: number }[] = [];
  for (const [index, wish] of wishes.entries()) {
    let block = { sum: wish - (offsets[index] ?? 0), count: 1 };
    for (
      let last = blocks.at(-1);
      last !== undefined && last.sum / last.count > block.sum / block.count;
      last = blocks.at(-1)
    ) {
      block = { sum: block.sum + last.sum, count: block.count + last.count };
      blocks.pop();
    }
    blocks.push(block);
  }
  let index = 0;
  for (const { sum, count } of blocks)
    for (let inBlock = 0; inBlock < count; inBlock += 1, index += 1) {
      const vertex = column[index];
      if (vertex !== undefined) vertex.y = sum / count + (offsets[index] ?? 0);
    }
}

/** Places the boxes of a part below `top`. @returns the top of the next part */
function placeColumns(columns: readonly Vertex[][], top: number, placed: Map<string, Point>): number {
  let [highest, lowest] = [Infinity, -Infinity];
  for (const { id, y, above, below } of columns.flat()) {
    if (id === null) continue;
    highest = Math.min(highest, y - above);
    lowest = Math.max(lowest, y + below);
  }
  let x = 0;
  for (const column of columns) {
    const width = Math.max(...column.map((vertex) => vertex.width));
    for (const { id, y, above, width: own } of column)
      if (id !== null) placed.set(id, { x: x + (width - own) / 2, y: top + y - above - highest });
    x += width + GAP_X;
  }
  return top + lowest - highest + GAP_Y;
}
