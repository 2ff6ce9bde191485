/** Does the commands of the canvas: from what is selected in React Flow to operations of the room. */
import type { ReactFlowInstance, useStoreApi } from '@xyflow/react';
import { END, START } from '../../graph/definition.ts';
import { ownValue } from '../../graph/value.ts';
import { edgesOf, textOf, type FlowEdge, type FlowNode } from './binding.ts';
import { clipOf, pasteClip, readClip, writeClip } from './clipboard.ts';
import type { AddAnchor } from './context.ts';
import { align, GRID, type Box, type Point, type Side } from './geometry.ts';
import { addNode, connect, move, placeFor, remove, toggleDisabled, type Origin } from './gestures.ts';
import { handlesOf } from './kinds.ts';
import type { LayoutTask } from './layout.ts';
import { addNote, NOTE } from './notes.ts';
import type { Room } from './room.ts';
import { editorWords } from '../words-editor.ts';

const { notices } = editorWords;

type FlowStore = ReturnType<typeof useStoreApi>;

export interface Selected {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

export class Actions {
  readonly #room: Room;
  readonly #flow: ReactFlowInstance;
  readonly #store: FlowStore;
  #pasted = 0;

  constructor(room: Room, flow: ReactFlowInstance, store: FlowStore) {
    this.#room = room;
    this.#flow = flow;
    this.#store = store;
  }

  get selected(): Selected {
    return {
      nodes: this.#nodes.filter(({ selected }) => selected === true),
      edges: (this.#flow.getEdges() as unknown as FlowEdge[]).filter(({ selected }) => selected === true),
    };
  }
  /** What is done by key at once after an edit, before a frame, is done to what the edit has made. */
  get #nodes(): FlowNode[] {
    this.#room.show();
    return this.#flow.getNodes() as unknown as FlowNode[];
  }
  get #ids(): string[] {
    return this.selected.nodes.map(({ id }) => id);
  }
  /** The middle of what is seen, on the screen and on the canvas. */
  get middle(): { readonly screen: Point; readonly flow: Point } {
    const box = document.querySelector('.react-flow')?.getBoundingClientRect();
    const screen = {
      x: (box?.left ?? 0) + (box?.width ?? 800) / 2,
      y: (box?.top ?? 0) + (box?.height ?? 600) / 2,
    };
    return { screen, flow: this.#flow.screenToFlowPosition(screen) };
  }

  /** Where a new node goes when no pointer says it: after the one that is selected. */
  anchor(): AddAnchor {
    const [after] = this.selected.nodes.filter(({ type }) => type === 'kind');
    const { screen, flow } = this.middle;
    const handle = after?.data.kind === 'node' ? after.data.handles[0]?.id : undefined;
    const origin: Origin =
      after === undefined
        ? { from: 'nowhere' }
        : { from: 'handle', source: after.id, handle: handle ?? 'default' };
    return { screen, flow: placeFor(after, flow), origin };
  }

  add(type: string, { flow, origin }: AddAnchor): void {
    if (type === 'note') return this.note(flow);
    const boxes = this.#nodes.map(({ position, width, height }) => ({ ...position, width, height }));
    const { op, id } = addNode({ document: this.#room.view, boxes }, { type, at: flow, origin });
    if (this.#room.edit(op, { label: `add ${id}` })) this.select([id]);
  }

  note(at: Point = this.middle.flow): void {
    const id = `n${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ''}`;
    this.#room.edit(addNote(id, at, ''), { label: 'add a note' });
    this.select([`${NOTE}${id}`]);
  }

  /** Selects nodes, those too that were made a moment ago, and brings the first into view. */
  select(ids: readonly string[]): void {
    this.#room.show();
    this.#mark((id) => ids.includes(id));
    const [first] = ids;
    if (first !== undefined) this.reveal(first);
  }

  /** Selects nodes and no edges. React Flow's own setNodes waits for the next render, and the next key may come first. */
  #mark(isSelected: (id: string) => boolean): void {
    const { nodes, edges, setNodes, setEdges } = this.#store.getState();
    setNodes(
      nodes.map((node) => {
        const selected = isSelected(node.id);
        return (node.selected ?? false) === selected ? node : { ...node, selected };
      }),
    );
    setEdges(edges.map((edge) => (edge.selected === true ? { ...edge, selected: false } : edge)));
  }

  reveal(id: string): void {
    const node = this.#nodes.find((one) => one.id === id);
    if (node === undefined) return;
    const at = { x: node.position.x + node.width / 2, y: node.position.y + node.height / 2 };
    const box = document.querySelector('.react-flow')?.getBoundingClientRect();
    const shown = this.#flow.flowToScreenPosition(at);
    const isSeen =
      box !== undefined &&
      shown.x > box.left + 80 &&
      shown.x < box.right - 80 &&
      shown.y > box.top + 40 &&
      shown.y < box.bottom - 60;
    if (!isSeen) void this.#flow.setCenter(at.x, at.y, { zoom: this.#flow.getZoom(), duration: 200 });
  }

  connect(source: string, handle: string, target: string): void {
    const op = connect(this.#room.view, { source, handle, target });
    this.#room.edit(op, { label: `connect ${source} to ${target}` });
  }

  delete(): void {
    const { nodes, edges } = this.selected;
    const locked = nodes.map(({ id }) => this.#room.presence.findLock(id)).find((lock) => lock !== null);
    if (locked) return this.#room.notify('warning', notices.undeletable(locked.name));
    const ids = nodes.map(({ id }) => id);
    const op = remove(
      this.#room.view,
      ids,
      edges.map(({ id }) => id),
    );
    const count = ids.filter((id) => id !== START && id !== END).length;
    this.#room.edit(op, {
      label: count > 0 ? `delete ${count} node${count === 1 ? '' : 's'}` : 'delete an edge',
    });
  }

  copy(): string | null {
    const clip = clipOf(this.#room.view, this.#ids);
    if (clip.nodes.length === 0) return null;
    this.#pasted = 0;
    return writeClip(clip);
  }

  paste(text: string, at?: Point): void {
    const clip = readClip(text);
    if (clip === null) return this.#room.notify('info', notices.nothingCopied);
    this.#pasted += 1;
    const { flow } = this.middle;
    const shift = (this.#pasted - 1) * 4 * GRID;
    const place = at ?? { x: flow.x - 120 + shift, y: flow.y - 40 + shift };
    const pasted = pasteClip(this.#room.view, clip, place);
    if (pasted === null) return this.#room.notify('warning', notices.tooMuch);
    const count = pasted.ids.length;
    if (!this.#room.edit(pasted.batch, { label: `paste ${count} node${count === 1 ? '' : 's'}` })) return;
    this.select(pasted.ids);
    const foreign = clip.nodes.filter((node) => JSON.stringify(node).includes('"credential_id":"')).length;
    const hint = foreign === 0 ? '' : notices.foreign(foreign);
    this.#room.notify('info', `${notices.pasted(count)}${hint}`);
  }

  duplicate(): void {
    const clip = clipOf(this.#room.view, this.#ids);
    const [first] = this.selected.nodes;
    if (clip.nodes.length === 0 || first === undefined) return;
    const corner = {
      x: Math.min(...this.selected.nodes.map(({ position }) => position.x)),
      y: first.position.y,
    };
    const pasted = pasteClip(this.#room.view, clip, { x: corner.x + 4 * GRID, y: corner.y + 12 * GRID });
    if (pasted === null || !this.#room.edit(pasted.batch, { label: 'duplicate' })) return;
    this.select(pasted.ids);
  }

  disable(): void {
    this.#room.edit(toggleDisabled(this.#room.view, this.#ids), { label: 'disable or enable' });
  }

  selectAll(isSelected: boolean): void {
    this.#room.show();
    this.#mark(() => isSelected);
  }

  nudge(dx: number, dy: number): void {
    const places = new Map(
      this.selected.nodes.map(({ id, position }) => [
        id,
        { x: position.x + dx * GRID, y: position.y + dy * GRID },
      ]),
    );
    this.#room.edit(move(this.#room.view, places), { label: 'move', merge: `nudge ${this.#ids.join()}` });
  }

  align(side: Side): void {
    const boxes = new Map(
      this.selected.nodes.map(({ id, position, width, height }): [string, Box] => [
        id,
        { ...position, width, height },
      ]),
    );
    this.#room.edit(move(this.#room.view, align(boxes, side), 'layout'), { label: 'align' });
  }

  /** Lays out what is selected, or everything, in a worker. */
  tidy(): void {
    const { nodes } = this.selected;
    const chosen = (nodes.length > 1 ? nodes : this.#nodes).filter(({ type }) => type !== 'note');
    const task: LayoutTask = {
      boxes: chosen.map(({ id, position, width, height }) => ({ id, ...position, width, height })),
      edges: edgesOf(this.#room.view),
    };
    const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<readonly (Point & { id: string })[]>) => {
      worker.terminate();
      const places = new Map(data.map(({ id, x, y }) => [id, { x, y }]));
      this.#room.edit(move(this.#room.view, places, 'layout'), { label: 'tidy up' });
      requestAnimationFrame(() => this.fit());
    });
    worker.postMessage(task);
  }

  /** Shows everything. React Flow's own fitView leaves out what is hidden, and far out everything is. */
  fit(): void {
    const all = this.#flow.getNodes();
    if (all.length === 0) return;
    void this.#flow.fitBounds(this.#flow.getNodesBounds(all), { duration: 200, padding: 0.2 });
  }

  /** Walks the graph: along an edge, or to the neighbour above or below. */
  go(way: 'next' | 'previous' | 'above' | 'below'): void {
    const [from] = this.selected.nodes;
    const next = from === undefined ? this.#nodes.find(({ id }) => id === START) : this.#neighbour(from, way);
    if (next !== undefined) this.select([next.id]);
  }

  #neighbour(from: FlowNode, way: 'next' | 'previous' | 'above' | 'below'): FlowNode | undefined {
    const byId = new Map(this.#nodes.map((node) => [node.id, node]));
    if (way === 'next' || way === 'previous') {
      const [near, far] = way === 'next' ? (['source', 'target'] as const) : (['target', 'source'] as const);
      const edge = edgesOf(this.#room.view).find((one) => one[near] === from.id);
      return edge === undefined ? undefined : byId.get(edge[far]);
    }
    const sign = way === 'below' ? 1 : -1;
    const distance = ({ position }: FlowNode): number =>
      Math.abs(position.y - from.position.y) + 2 * Math.abs(position.x - from.position.x);
    return this.#nodes
      .filter(({ id, position }) => id !== from.id && sign * (position.y - from.position.y) > 0)
      .toSorted((a, b) => distance(a) - distance(b))[0];
  }

  /** The handle that a command leaves a node by: its first that no edge has yet. */
  freeHandle(id: string): string {
    const node = this.#room.node(id);
    if (node === undefined) return 'default';
    const used = edgesOf(this.#room.view).filter(({ source }) => source === id);
    const handles = handlesOf(node, []);
    const free = handles.find((one) => used.every(({ handle }) => handle !== one.id));
    return (free ?? handles[0])?.id ?? 'default';
  }

  /** Nodes whose id, name, kind or content has a text. */
  find(text: string): { readonly id: string; readonly name: string; readonly type: string }[] {
    const wanted = text.trim().toLowerCase();
    return this.#nodes.flatMap((node) => {
      if (node.data.kind !== 'node') return [];
      const name = textOf(node.data.node, 'name');
      const type = textOf(node.data.node, 'type');
      const config = JSON.stringify(ownValue(node.data.node, 'config') ?? null);
      const isFound = [node.id, name, type, config].some((part) => part.toLowerCase().includes(wanted));
      return isFound ? [{ id: node.id, name: name || node.id, type }] : [];
    });
  }
}
