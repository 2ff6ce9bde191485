/** If this fails, what one person types replaces what a colleague has just typed, or a click misses the button that it was made on. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Replica } from '../../../../src/features/canvas/client/replica.ts';
import { readDocument } from '../../../../src/features/canvas/room/document.ts';
import type { DurableOp } from '../../../../src/features/canvas/room/operations.ts';
import { reduce } from '../../../../src/features/canvas/room/reduce.ts';
import { UNLOCKED } from '../../../../src/features/canvas/room/reduction.ts';
import type { CanvasConnection } from '../../../../src/surfaces/web/canvas/canvas-connection.ts';
import { Drafts } from '../../../../src/surfaces/web/forms/drafts.ts';
import { readField } from '../../../../src/surfaces/web/forms/field-value.ts';
import type { DraftField } from '../../../../src/surfaces/web/forms/kept-drafts.ts';

const TEMPLATE: DraftField = { entity: 'node:a', ptr: '/config/template', label: 'Template', format: 'text' };
const KEY = `${TEMPLATE.entity}${TEMPLATE.ptr}`;

/** A canvas whose server answers at once: every operation is applied to the one document. */
function openCanvas(template: string) {
  let document = readDocument({ nodes: [{ id: 'a', type: 'transformer', config: { template } }], edges: [] });
  const apply = (op: DurableOp): void => {
    const reduction = reduce(document, op, UNLOCKED);
    if (reduction.outcome === 'applied') ({ document } = reduction);
  };
  const connection = {
    workflowId: 'w',
    owner: { person: 'p', organizationId: 'o', workflowId: 'w' },
    get view() {
      return document;
    },
    canvas: {
      status: 'live',
      replica: {
        get confirmed() {
          return document;
        },
        pending: [],
        find: () => undefined,
      },
    },
    collaborators: { subscribe: () => () => undefined, findLock: () => null },
    notify: () => undefined,
    send(op: DurableOp) {
      apply(op);
      return 'op';
    },
  };
  const drafts = new Drafts(connection as unknown as CanvasConnection);
  return {
    drafts,
    /** A colleague's text arrives. */
    receive: (text: string): void => {
      apply({ type: 'node:update', nodeId: 'a', changes: { config: { template: text } } });
      drafts.onDocumentChange();
    },
    read: () => readField(document, TEMPLATE),
  };
}

/** A canvas whose server answers when the test says so. */
function openSlowCanvas(template: string) {
  const replica = new Replica();
  replica.reset({ nodes: [{ id: 'a', type: 'transformer', config: { template } }], edges: [] }, 1);
  let sent = 0;
  const connection = {
    workflowId: 'w',
    owner: { person: 'p', organizationId: 'o', workflowId: 'w' },
    get view() {
      return replica.view;
    },
    canvas: { status: 'live', replica },
    collaborators: { subscribe: () => () => undefined, findLock: () => null },
    notify: () => undefined,
    send(op: DurableOp) {
      const opId = `op-${(sent += 1)}`;
      replica.append({ opId, op, isHeld: false });
      return opId;
    },
  };
  const drafts = new Drafts(connection as unknown as CanvasConnection);
  const write = (text: string): DurableOp => ({
    type: 'node:update',
    nodeId: 'a',
    set: { [TEMPLATE.ptr]: text },
  });
  return {
    drafts,
    /** An own edit beside the drafts: a builder writes the value. */
    edit: (text: string): void => {
      connection.send(write(text));
      drafts.onDocumentChange();
    },
    receive: (text: string): void => {
      replica.advance(write(text), replica.version + 1);
      drafts.onDocumentChange();
    },
    /** The oldest own edit is confirmed. */
    confirm: (): void => {
      const [oldest] = replica.pending;
      if (oldest === undefined) throw new Error('Nothing is under way.');
      replica.advance(oldest.op, replica.version + 1);
      replica.remove(oldest.opId);
      drafts.onDocumentChange();
    },
    refuse: (): void => {
      replica.remove(replica.pending[0]?.opId ?? '');
      drafts.onDocumentChange();
    },
    read: () => readField(replica.confirmed, TEMPLATE),
  };
}

const page = Object.assign(new EventTarget(), { setTimeout, clearTimeout });
const kept = new Map<string, string>();

beforeEach(() => {
  vi.stubGlobal('window', page);
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  kept.clear();
});

const press = (type: string): boolean => page.dispatchEvent(Object.assign(new Event(type), { button: 0 }));

test("a field that is left before a colleague's text is merged does not replace that text", async () => {
  const { drafts, receive, read } = openCanvas('Dear customer');
  drafts.change(TEMPLATE, '0123Dear customer');
  receive('Dear customer of the greatest');
  drafts.leave(KEY);
  expect(read()).toBe('Dear customer of the greatest');
  await expect.poll(read).toBe('0123Dear customer of the greatest');
  drafts.dispose();
});

test('a draft is sent although a colleague has taken back what was to be merged', async () => {
  const { drafts, receive, read } = openCanvas('Dear customer');
  drafts.change(TEMPLATE, 'Dear customer!');
  receive('Hello customer');
  receive('Dear customer');
  await expect.poll(read).toBe('Dear customer!');
  drafts.dispose();
});

test('a field that a press takes the focus from is left when the press has ended', () => {
  const { drafts, read } = openCanvas('Dear customer');
  drafts.change(TEMPLATE, 'Dear friend');
  press('pointerdown');
  drafts.leave(KEY);
  expect(read()).toBe('Dear customer');
  expect(drafts.get(KEY)?.isFocused).toBe(true);
  press('pointerup');
  expect(read()).toBe('Dear friend');
  press('pointerdown');
  press('pointercancel');
  drafts.change(TEMPLATE, 'Dear all');
  drafts.leave(KEY);
  expect(read()).toBe('Dear all');
  drafts.dispose();
});

test("two own edits that are confirmed while their field is typed into are nobody else's", () => {
  const { drafts, edit, confirm, read } = openSlowCanvas('');
  edit('one');
  edit('two');
  drafts.change(TEMPLATE, 'two and three');
  confirm();
  expect(read()).toBe('one');
  expect(drafts.get(KEY)).toMatchObject({ typed: 'two and three', base: 'two' });
  drafts.leave(KEY);
  confirm();
  expect(drafts.get(KEY)?.theirs).toBeUndefined();
  confirm();
  expect(read()).toBe('two and three');
  expect(drafts.get(KEY)).toBeUndefined();
  drafts.dispose();
});

test("a colleague's text that arrives after the own edit is merged with what is typed on top of that edit", async () => {
  const { drafts, edit, receive, confirm, read } = openSlowCanvas('Dear customer');
  edit('Dear customers');
  drafts.change(TEMPLATE, '12 Dear customers');
  confirm();
  receive('Dear customers of the greatest');
  drafts.leave(KEY);
  await expect.poll(() => drafts.get(KEY)?.typed).toBe('12 Dear customers of the greatest');
  expect(read()).toBe('Dear customers of the greatest');
  drafts.dispose();
});

test('typed on top of an own edit that is refused: the text is kept', async () => {
  const { drafts, edit, refuse, confirm, read } = openSlowCanvas('Dear customer');
  edit('Dear customers');
  drafts.change(TEMPLATE, 'Dear customers!');
  refuse();
  await expect.poll(() => drafts.get(KEY)?.base).toBe('Dear customer');
  drafts.leave(KEY);
  confirm();
  expect(read()).toContain('!');
  drafts.dispose();
});
