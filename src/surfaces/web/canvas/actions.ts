/** The commands of the canvas as operations: each reads React Flow's selection and edits the document. */
import type { Edge, ReactFlowInstance, useStoreApi } from '@xyflow/react';
import { END, START } from '../../../language/graph/definition/definition.ts';
import { ownValue } from '../../../language/graph/values/value.ts';
import { listEdges, readText, type FlowEdge, type FlowNode } from './binding.ts';
import { addNode, findEdgeToEnd, findLastHandle, placeNear } from './add-node.ts';
import { createClip, pasteClip, readClip, writeClip, type Clip } from './clipboard.ts';
import type { AddAnchor } from './context.ts';
import { align, GRID, type Box, type Point, type Side } from './geometry.ts';
import { connect, move, remove, toggleDisabled } from './gestures.ts';
import { groupNodes, ungroupNodes } from './groups.ts';
import { listHandles } from './kinds.ts';
import type { LayoutTask } from './layout.ts';
import { createId } from './node-ids.ts';
import { addNote, NOTE } from './notes.ts';
import { NOTE_KEY, type PaletteEntry } from './palette.ts';
import type { CanvasConnection } from './canvas-connection.ts';
import { editorWords } from '../words-editor.ts';
import { exceedsRoom } from './room-limits.ts';
import { Viewport } from './viewport.ts';

const { notices } = editorWords;

type FlowStore = ReturnType<typeof useStoreApi>;

interface Selection {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

export class Actions {
  readonly #connection: CanvasConnection;
  readonly #flow: ReactFlowInstance;
  readonly #store: FlowStore;
  readonly viewport: Viewport;
  #pasted = 0;
  /** The edges that `selectNextEdge` goes around. */
  #edgeRing: readonly Edge[] = [];

  constructor(connection: CanvasConnection, flow: ReactFlowInstance, store: FlowStore) {
    this.#connection = connection;
    this.#flow = flow;
    this.#store = store;
    this.viewport = new Viewport(flow, store);
  }

  get selected(): Selection {
    return {
      nodes: this.#nodes.filter(({ selected }) => selected === true),
      edges: (this.#flow.getEdges() as unknown as FlowEdge[]).filter(({ selected }) => selected === true),
    };
  }
  /** Flushes the pending render first, so that a key pressed right after an edit sees its result. */
  get #nodes(): FlowNode[] {
    this.#connection.show();
    return this.#flow.getNodes() as unknown as FlowNode[];
  }
  get #boxes(): Map<string, Box> {
    return new Map(
      this.#nodes.map(({ id, position, width, height }) => [id, { ...position, width, height }]),
    );
  }
  get #kindIds(): string[] {
    return this.#ids.filter((id) => this.#connection.node(id) !== undefined);
  }
  get #ids(): string[] {
    return this.selected.nodes.map(({ id }) => id);
  }
  /** The place of a new node without a pointer: in the selected edge, or after the selected node, else after the last one. */
  anchor(): AddAnchor {
    const { nodes, edges } = this.selected;
    const { screen, flow } = this.viewport.middle;
    const after = nodes.find(({ id, type }) => type === 'kind' || id === START);
    const [edge] = edges;
    if (after !== undefined)
      return this.anchorAfter({ source: after.id, handle: this.findFreeHandle(after.id) }, screen);
    const last = edge === undefined ? findLastHandle(this.#connection.view) : null;
    if (last !== null) return this.anchorAfter(last, screen);
    if (edge === undefined) return { screen, flow: placeNear(undefined, flow), origin: { from: 'nowhere' } };
    const [source, target] = [edge.source, edge.target].map((id) =>
      this.#nodes.find((node) => node.id === id),
    );
    const place = placeNear(source, flow);
    const y = target === undefined ? place.y : (place.y + target.position.y) / 2;
    return { screen, flow: { x: place.x, y }, origin: { from: 'edge', edgeId: edge.id } };
  }

  /** The place of a new node after a handle: before the end, where the handle leads there alone. */
  anchorAfter(from: { readonly source: string; readonly handle: string }, screen: Point): AddAnchor {
    const after = this.#nodes.find(({ id }) => id === from.source);
    const flow = placeNear(after, this.viewport.middle.flow);
    const edgeId = findEdgeToEnd(this.#connection.view, from);
    if (edgeId === null) return { screen, flow, origin: { from: 'handle', ...from } };
    return { screen, flow, origin: { from: 'edge', edgeId } };
  }

  /** @returns the id of the new node; null for a note, and when the document did not take it */
  add(entry: PaletteEntry, { flow, origin }: AddAnchor): string | null {
    if (entry.key === NOTE_KEY) {
      this.note(flow);
      return null;
    }
    const { op, id } = addNode(
      { document: this.#connection.view, boxes: this.#boxes },
      { entry, at: flow, origin },
    );
    if (!this.#connection.edit(op, { label: `add ${id}` })) return null;
    this.select([id]);
    return id;
  }

  /** @returns the id of the new note in React Flow */
  note(at: Point = this.viewport.middle.flow): string {
    const id = createId('n');
    this.#connection.edit(addNote(id, at, ''), { label: 'add a note' });
    this.select([`${NOTE}${id}`]);
    return `${NOTE}${id}`;
  }

  /** Groups the selected nodes. @returns the id of the group; null without a node */
  group(): string | null {
    const group = { id: createId('g'), name: editorWords.group.new, nodes: this.#kindIds };
    const op = group.nodes.length === 0 ? null : groupNodes(this.#connection.view, group);
    return this.#connection.edit(op, { label: 'group' }) ? group.id : null;
  }

  ungroup(): void {
    const { view } = this.#connection;
    this.#connection.edit(ungroupNodes(view, new Set(this.#kindIds)), { label: 'ungroup' });
  }

  /** Selects nodes, among them those of the last edit, and brings the first into view. */
  select(ids: readonly string[]): void {
    this.#connection.show();
    this.#mark((id) => ids.includes(id));
    const [first] = ids;
    if (first !== undefined) this.viewport.reveal(first);
  }

  /** Selects the next of the edges at the selected node, or of all edges. */
  selectNextEdge(): void {
    const { nodes, edges } = this.selected;
    const [node] = nodes;
    const [edge] = edges;
    this.#connection.show();
    const all = this.#store.getState().edges;
    if (node !== undefined)
      this.#edgeRing = all.filter(({ source, target }) => source === node.id || target === node.id);
    else if (edge === undefined || !this.#edgeRing.some(({ id }) => id === edge.id)) this.#edgeRing = all;
    const ring = this.#edgeRing.filter(({ id }) => all.some((one) => one.id === id));
    const next = ring[(ring.findIndex(({ id }) => id === edge?.id) + 1) % ring.length];
    if (next !== undefined) this.selectEdge(next.id);
  }

  /** Selects an edge, brings its source into view, and says its ends. */
  selectEdge(id: string): void {
    this.#connection.show();
    const edge = this.#store.getState().edges.find((one) => one.id === id);
    if (edge === undefined) return;
    this.#mark(
      () => false,
      (one) => one === id,
    );
    this.viewport.reveal(edge.source);
    const [source, target] = [this.#findName(edge.source), this.#findName(edge.target)];
    this.#connection.notify('spoken', notices.selectedEdge(source, target));
  }

  #findName(id: string): string {
    const node = this.#connection.node(id);
    return (node === undefined ? '' : readText(node, 'name')) || id.replaceAll('_', '');
  }

  /** Selects nodes and edges. React Flow's own setNodes waits for the next render, and the next key may come first. */
  #mark(isSelected: (id: string) => boolean, isEdgeSelected: (id: string) => boolean = () => false): void {
    const { nodes, edges, setNodes, setEdges } = this.#store.getState();
    const mark = <T extends { readonly id: string; selected?: boolean }>(one: T, selected: boolean): T =>
      (one.selected ?? false) === selected ? one : { ...one, selected };
    setNodes(nodes.map((node) => mark(node, isSelected(node.id))));
    setEdges(edges.map((edge) => mark(edge, isEdgeSelected(edge.id))));
  }

  connect(source: string, handle: string, target: string): void {
    const op = connect(this.#connection.view, { source, handle, target });
    this.#connection.edit(op, { label: `connect ${source} to ${target}` });
  }

  delete(): void {
    const { nodes, edges } = this.selected;
    const locked = nodes
      .map(({ id }) => this.#connection.presence.findLock(id))
      .find((lock) => lock !== null);
    if (locked) return this.#connection.notify('warning', notices.undeletable(locked.name));
    const ids = nodes.map(({ id }) => id);
    const op = remove(
      this.#connection.view,
      ids,
      edges.map(({ id }) => id),
    );
    const count = ids.filter((id) => id !== START && id !== END).length;
    this.#connection.edit(op, {
      label: count > 0 ? `delete ${count} node${count === 1 ? '' : 's'}` : 'delete an edge',
    });
  }

  copy(): string | null {
    const clip = createClip(this.#connection.view, this.#ids);
    if (clip.nodes.length === 0) return null;
    this.#pasted = 0;
    return writeClip(clip);
  }

  paste(text: string, at?: Point): void {
    const clip = readClip(text);
    if (clip === null) return this.#connection.notify('info', notices.nothingCopied);
    this.#pasted += 1;
    const { flow } = this.viewport.middle;
    const shift = (this.#pasted - 1) * 4 * GRID;
    const place = at ?? { x: flow.x - 120 + shift, y: flow.y - 40 + shift };
    const { length: count } = clip.nodes;
    if (!this.#insert(clip, place, `paste ${count} node${count === 1 ? '' : 's'}`)) return;
    const foreign = clip.nodes.filter((node) => JSON.stringify(node).includes('"credential_id":"')).length;
    const hint = foreign === 0 ? '' : notices.foreign(foreign);
    this.#connection.notify('info', `${notices.pasted(count)}${hint}`);
  }

  duplicate(): void {
    const clip = createClip(this.#connection.view, this.#ids);
    const [first] = this.selected.nodes;
    if (clip.nodes.length === 0 || first === undefined) return;
    const left = Math.min(...this.selected.nodes.map(({ position }) => position.x));
    const place = { x: left + 4 * GRID, y: first.position.y + 12 * GRID };
    this.#insert(clip, place, 'duplicate');
  }

  /** Inserts nodes at a free place, and selects them. @returns false when the document did not take them */
  #insert(clip: Clip, at: Point, label: string): boolean {
    const { view } = this.#connection;
    const pasted = pasteClip(view, clip, { at, taken: [...this.#boxes.values()] });
    if (exceedsRoom(view, pasted.batch)) this.#connection.notify('warning', notices.tooMuch);
    else if (this.#connection.edit(pasted.batch, { label })) {
      this.select(pasted.ids);
      return true;
    }
    return false;
  }

  disable(): void {
    this.#connection.edit(toggleDisabled(this.#connection.view, this.#ids), { label: 'disable or enable' });
  }

  selectAll(isSelected: boolean): void {
    this.#connection.show();
    this.#mark(() => isSelected);
  }

  nudge(dx: number, dy: number): void {
    const places = new Map(
      this.selected.nodes.map(({ id, position }) => [
        id,
        { x: position.x + dx * GRID, y: position.y + dy * GRID },
      ]),
    );
    this.#connection.edit(move(this.#connection.view, places), {
      label: 'move',
      merge: `nudge ${this.#ids.join()}`,
    });
  }

  align(side: Side): void {
    const boxes = new Map(
      this.selected.nodes.map(({ id, position, width, height }): [string, Box] => [
        id,
        { ...position, width, height },
      ]),
    );
    this.#connection.edit(move(this.#connection.view, align(boxes, side), 'layout'), { label: 'align' });
  }

  /** Lays out the selected nodes, or all of them, in a worker. */
  tidy(): void {
    const { nodes } = this.selected;
    const chosen = (nodes.length > 1 ? nodes : this.#nodes).filter(({ type }) => type !== 'note');
    const task: LayoutTask = {
      boxes: chosen.map(({ id, position, width, height }) => ({ id, ...position, width, height })),
      edges: listEdges(this.#connection.view),
    };
    const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<readonly (Point & { id: string })[]>) => {
      worker.terminate();
      const places = new Map(data.map(({ id, x, y }) => [id, { x, y }]));
      this.#connection.edit(move(this.#connection.view, places, 'layout'), { label: 'tidy up' });
      requestAnimationFrame(() => this.viewport.fit());
    });
    worker.postMessage(task);
  }

  /** Selects the next node along an edge, or the neighbour above or below. */
  step(way: 'next' | 'previous' | 'above' | 'below'): void {
    const [from] = this.selected.nodes;
    const [edge] = this.selected.edges;
    const end = way === 'next' ? edge?.target : way === 'previous' ? edge?.source : undefined;
    const next =
      from !== undefined ? this.#neighbour(from, way) : this.#nodes.find(({ id }) => id === (end ?? START));
    if (next === undefined) return;
    this.select([next.id]);
    this.#connection.notify('spoken', notices.selectedNode(this.#findName(next.id)));
  }

  #neighbour(from: FlowNode, way: 'next' | 'previous' | 'above' | 'below'): FlowNode | undefined {
    const byId = new Map(this.#nodes.map((node) => [node.id, node]));
    if (way === 'next' || way === 'previous') {
      const [near, far] = way === 'next' ? (['source', 'target'] as const) : (['target', 'source'] as const);
      const edge = listEdges(this.#connection.view).find((one) => one[near] === from.id);
      return edge === undefined ? undefined : byId.get(edge[far]);
    }
    const sign = way === 'below' ? 1 : -1;
    const distance = ({ position }: FlowNode): number =>
      Math.abs(position.y - from.position.y) + 2 * Math.abs(position.x - from.position.x);
    return this.#nodes
      .filter(({ id, position }) => id !== from.id && sign * (position.y - from.position.y) > 0)
      .toSorted((a, b) => distance(a) - distance(b))[0];
  }

  /** Finds the first handle of a node that no edge leaves by. */
  findFreeHandle(id: string): string {
    const node = this.#connection.node(id);
    if (node === undefined) return 'default';
    const used = listEdges(this.#connection.view).filter(({ source }) => source === id);
    const handles = listHandles(node, []);
    const free = handles.find((one) => used.every(({ handle }) => handle !== one.id));
    return (free ?? handles[0])?.id ?? 'default';
  }

  /** Finds the nodes whose id, name, kind or config contains a text. */
  findNodes(text: string): { readonly id: string; readonly name: string; readonly type: string }[] {
    const wanted = text.trim().toLowerCase();
    return this.#nodes.flatMap((node) => {
      if (node.data.kind !== 'node') return [];
      const name = readText(node.data.node, 'name');
      const type = readText(node.data.node, 'type');
      const config = JSON.stringify(ownValue(node.data.node, 'config') ?? null);
      const isFound = [node.id, name, type, config].some((part) => part.toLowerCase().includes(wanted));
      return isFound ? [{ id: node.id, name: name || node.id, type }] : [];
    });
  }
}
