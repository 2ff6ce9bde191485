/** If this fails, what one person types replaces what a colleague has just typed, or a click misses the button that it was made on. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readDocument } from '../../../src/canvas/room/document.ts';
import type { DurableOp } from '../../../src/canvas/room/operations.ts';
import { reduce } from '../../../src/canvas/room/reduce.ts';
import { UNLOCKED } from '../../../src/canvas/room/reduction.ts';
import type { CanvasConnection } from '../../../src/web/canvas/canvas-connection.ts';
import { Drafts } from '../../../src/web/forms/drafts.ts';
import { readField } from '../../../src/web/forms/field-value.ts';
import type { DraftField } from '../../../src/web/forms/kept-drafts.ts';

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
    get view() {
      return document;
    },
    canvas: {
      status: 'live',
      replica: {
        get confirmed() {
          return document;
        },
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
