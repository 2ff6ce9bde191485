/** If this fails, what a person types lands in another entry or node, is lost with one that a colleague deletes, or is "Not saved" for ever. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Replica } from '../../../../src/features/canvas/client/replica.ts';
import type { DurableOp } from '../../../../src/features/canvas/room/operations.ts';
import { findElement } from '../../../../src/features/canvas/room/document.ts';
import { reduce } from '../../../../src/features/canvas/room/reduce.ts';
import { UNLOCKED } from '../../../../src/features/canvas/room/reduction.ts';
import { getAt, parsePointer } from '../../../../src/language/graph/values/pointer.ts';
import type { Json, JsonObject } from '../../../../src/language/graph/values/value.ts';
import type { CanvasConnection } from '../../../../src/surfaces/web/canvas/canvas-connection.ts';
import { Drafts } from '../../../../src/surfaces/web/forms/drafts.ts';
import { formatDraftKey, type DraftField } from '../../../../src/surfaces/web/forms/kept-drafts.ts';

const say = (role: string, content: string): JsonObject => ({ role, content });
const NODE = {
  id: 'a',
  type: 'llm',
  config: {
    messages: [say('system', 'Be kind'), say('user', 'Translate'), say('user', 'Thanks')],
    headers: { accept: 'text/html', host: 'example.com' },
    tools: [{ name: 'find', limit: 1 }],
  },
};
const field = (ptr: string, format: DraftField['format'] = 'text', entity = 'node:a'): DraftField => ({
  entity: entity as DraftField['entity'],
  ptr,
  label: 'Text',
  format,
});
const SECOND = field('/config/messages/1/content');
const HEADER = field('/config/headers/accept');

/** A canvas in two pages: the own one, whose edits the server answers when the test says so, and a colleague's. */
function openCanvas(nodes: JsonObject[] = [NODE, { id: 'b', type: 'tool', config: {} }]) {
  const replica = new Replica();
  replica.reset({ nodes, edges: [] }, 1);
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
    showNow: () => undefined,
    send(op: DurableOp) {
      if (reduce(replica.view, op, UNLOCKED).outcome !== 'applied') return null;
      const opId = `op-${(sent += 1)}`;
      replica.append({ opId, op, isHeld: false });
      drafts.onDocumentChange(true);
      return opId;
    },
  };
  const drafts = new Drafts(connection as unknown as CanvasConnection);
  drafts.onDocumentChange();
  const read = (ptr: string, id = 'a'): Json | undefined =>
    getAt(findElement(replica.confirmed.nodes, id), parsePointer(ptr));
  return {
    drafts,
    replica,
    read,
    edit: (op: DurableOp) => connection.send(op),
    /** An edit of a colleague arrives. */
    receive: (op: DurableOp): void => {
      replica.advance(op, replica.version + 1);
      drafts.onDocumentChange();
    },
    /** All own edits get their answers, in order. */
    answer: (): void => {
      // Drafts may send more within the loop.
      const pending = [...replica.pending];
      for (const { opId, op } of pending) {
        const reduction = reduce(replica.confirmed, op, UNLOCKED);
        if (reduction.outcome === 'applied') replica.advance(reduction.op, replica.version + 1);
        replica.remove(opId);
        drafts.onDocumentChange();
      }
    },
    unsaved: () => drafts.unsaved.map(({ label, typed }) => [label, typed]),
  };
}

const set = (ptr: string, value: Json): DurableOp => ({
  type: 'node:update',
  nodeId: 'a',
  set: { [ptr]: value },
});
const setMessages = (...texts: JsonObject[]): DurableOp => set('/config/messages', texts);
const withoutFirst = setMessages(say('user', 'Translate'), say('user', 'Thanks'));
const withoutSecond = setMessages(say('system', 'Be kind'), say('user', 'Thanks'));

const kept = new Map<string, string>();

beforeEach(() => {
  vi.useFakeTimers();
  // After the fake timers: these are what the page has.
  vi.stubGlobal('window', Object.assign(new EventTarget(), { setTimeout, clearTimeout }));
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  kept.clear();
});

const TYPED = 'Translate in French.';

test.for([['before it is sent'], ['while it is under way']])(
  'a text goes along with its entry when a colleague deletes the one before: %s',
  ([when]) => {
    const { drafts, receive, answer, read } = openCanvas();
    drafts.change(SECOND, TYPED);
    if (when === 'while it is under way') vi.advanceTimersByTime(300);
    receive(withoutFirst);
    expect(drafts.get(formatDraftKey(SECOND))).toBeUndefined();
    expect(drafts.shown(field('/config/messages/0/content'))).toBe(TYPED);
    answer();
    vi.advanceTimersByTime(300);
    answer();
    expect(read('/config/messages')).toEqual([say('user', TYPED), say('user', 'Thanks')]);
    expect(drafts.unsaved).toEqual([]);
    drafts.dispose();
  },
);

test.for([
  [withoutSecond],
  [setMessages()],
  [{ type: 'node:update', nodeId: 'a', unset: ['/config/messages'] }],
] as [DurableOp][])('a text whose entry a colleague deletes is kept, and no entry gets it: %j', ([op]) => {
  const { drafts, receive, answer, read, unsaved } = openCanvas();
  drafts.change(SECOND, TYPED);
  vi.advanceTimersByTime(300);
  receive(op);
  const stored = read('/config/messages');
  answer();
  vi.advanceTimersByTime(3_000);
  answer();
  expect(read('/config/messages')).toEqual(stored);
  expect(unsaved()).toEqual([['Text (moved or deleted)', TYPED]]);
  expect(drafts.isSaving).toBe(false);
  drafts.withdraw(drafts.unsaved[0]!.key);
  expect(drafts.unsaved).toEqual([]);
  drafts.dispose();
});

test('a text that is sent while its entry is deleted changes no other one, although both are empty', () => {
  const { drafts, replica, answer, read } = openCanvas([
    { ...NODE, config: { messages: [say('system', 'x'), say('user', ''), say('assistant', '')] } },
  ]);
  drafts.change(SECOND, 'Hello');
  vi.advanceTimersByTime(300);
  // The deletion is before it at the server.
  replica.advance(setMessages(say('user', ''), say('assistant', '')), 2);
  answer();
  vi.advanceTimersByTime(300);
  answer();
  expect(read('/config/messages')).toEqual([say('user', 'Hello'), say('assistant', '')]);
  drafts.dispose();
});

test('what is typed into a field of an entry that is not there any more makes no entry', () => {
  const { drafts, receive, answer, read, unsaved } = openCanvas();
  receive(setMessages(say('system', 'Be kind')));
  drafts.change(SECOND, 'x');
  vi.advanceTimersByTime(300);
  answer();
  expect(read('/config/messages')).toEqual([say('system', 'Be kind')]);
  expect(unsaved()).toEqual([['Text (moved or deleted)', 'x']]);
  drafts.dispose();
});

test('a text that a colleague deletes is not merged: a header does not come back as a fragment', () => {
  const { drafts, receive, answer, read, unsaved } = openCanvas();
  drafts.change(HEADER, 'text/html; q=1');
  receive({ type: 'node:update', nodeId: 'a', unset: ['/config/headers/accept'] });
  vi.advanceTimersByTime(3_000);
  answer();
  expect(read('/config/headers')).toEqual({ host: 'example.com' });
  expect(unsaved()).toEqual([['Text', 'text/html; q=1']]);
  drafts.resolve(formatDraftKey(HEADER), 'mine');
  answer();
  expect(read('/config/headers/accept')).toBe('text/html; q=1');
  drafts.dispose();
});

test('a text goes along with its node when anybody gives it another id', () => {
  for (const by of ['receive', 'edit'] as const) {
    const canvas = openCanvas();
    const { drafts, answer, read } = canvas;
    drafts.change(field('/config/schema', 'json'), '{');
    drafts.change(SECOND, TYPED);
    vi.advanceTimersByTime(300);
    if (by === 'edit') answer();
    canvas[by]({ type: 'node:rename', nodeId: 'a', newId: 'c' });
    expect(drafts.unsaved.map(({ draft }) => draft?.entity)).toEqual(['node:c']);
    answer();
    vi.advanceTimersByTime(3_000);
    answer();
    expect(read('/config/messages/1/content', 'c')).toBe(TYPED);
    expect(drafts.shown(field('/config/schema', 'json', 'node:c'))).toBe('{');
    drafts.dispose();
    kept.clear();
  }
});

test('a text whose node a colleague deletes is kept over a reload, until it is discarded', () => {
  const first = openCanvas();
  first.drafts.change(SECOND, TYPED);
  vi.advanceTimersByTime(300);
  first.receive({ type: 'node:delete', nodeIds: ['a'] });
  expect(first.drafts.isSaving).toBe(true);
  first.answer();
  expect(first.drafts.isSaving).toBe(false);
  expect(first.unsaved()).toEqual([['Text (node deleted)', TYPED]]);
  first.drafts.dispose();
  const second = openCanvas([{ id: 'b', type: 'tool' }]);
  expect(second.unsaved()).toEqual([['Text (node deleted)', TYPED]]);
  second.drafts.withdraw(second.drafts.unsaved[0]!.key);
  second.drafts.dispose();
  expect(openCanvas().drafts.unsaved).toEqual([]);
});

test('a saved text of a deleted node is not lost', () => {
  const { drafts, receive, answer } = openCanvas();
  drafts.change(SECOND, TYPED);
  vi.advanceTimersByTime(300);
  answer();
  receive({ type: 'node:delete', nodeIds: ['a'] });
  expect(drafts.unsaved).toEqual([]);
  drafts.dispose();
});

test('a draft of the page before a reload finds its entry where it is now, or is a lost text', () => {
  const reload = (nodes: JsonObject[]) => {
    const first = openCanvas();
    first.drafts.change(SECOND, TYPED);
    first.drafts.dispose();
    return openCanvas(nodes);
  };
  const messages = (...texts: JsonObject[]) => [{ ...NODE, config: { ...NODE.config, messages: texts } }];
  const moved = reload(messages(say('user', 'Translate'), say('user', 'Thanks')));
  vi.advanceTimersByTime(300);
  moved.answer();
  expect(moved.read('/config/messages')).toEqual([say('user', TYPED), say('user', 'Thanks')]);
  moved.drafts.dispose();
  kept.clear();
  const deleted = reload(messages(say('system', 'Be kind'), say('user', 'Thanks')));
  expect(deleted.unsaved()).toEqual([['Text (moved or deleted)', TYPED]]);
  deleted.drafts.dispose();
  kept.clear();
  const gone = reload([{ id: 'b', type: 'tool' }]);
  expect(gone.unsaved()).toEqual([['Text (node deleted)', TYPED]]);
  gone.drafts.dispose();
});

test.for([
  ['/config/tools/0/limit', 'number', { unset: ['/config/tools/0'] }],
  ['/config/headers/accept', 'json', { unset: ['/config/headers/accept'] }],
  ['/config/headers/accept', 'json', { unset: ['/config/headers'] }],
] as const)('what is removed here takes its draft with it: %s as %s, %j', ([ptr, format, edit]) => {
  const { drafts, edit: send, answer } = openCanvas();
  drafts.change(field(ptr, format), '{{a.b}}');
  vi.advanceTimersByTime(300);
  expect(drafts.unsaved).toHaveLength(1);
  send({ type: 'node:update', nodeId: 'a', ...edit });
  expect(drafts.unsaved).toEqual([]);
  answer();
  expect(drafts.unsaved).toEqual([]);
  drafts.dispose();
});

test('a draft below a key that is renamed here, or an entry that moves up, goes along and meets nobody', () => {
  const { drafts, edit, answer } = openCanvas([
    { ...NODE, config: { ...NODE.config, tools: [{ name: 'x' }, { name: 'find', limit: 1 }] } },
  ]);
  drafts.change(field('/config/headers/accept', 'json'), '{{a.b}}');
  drafts.change(field('/config/tools/1/limit', 'number'), 'abc');
  vi.advanceTimersByTime(300);
  edit(set('/config/headers', { language: 'text/html', host: 'example.com' }));
  edit({ type: 'node:update', nodeId: 'a', unset: ['/config/tools/0'] });
  answer();
  vi.advanceTimersByTime(300);
  expect(drafts.unsaved.map(({ draft }) => [draft?.ptr, draft?.theirs])).toEqual([
    ['/config/headers/language', undefined],
    ['/config/tools/0/limit', undefined],
  ]);
  drafts.dispose();
});

test('a field that is emptied here keeps its draft until the server has it', () => {
  const { drafts, answer, read } = openCanvas();
  drafts.change(field('/config/headers/accept', 'optional'), '');
  vi.advanceTimersByTime(300);
  expect(drafts.isSaving).toBe(true);
  answer();
  drafts.leave('node:a/config/headers/accept');
  expect(read('/config/headers')).toEqual({ host: 'example.com' });
  expect(drafts.isSaving).toBe(false);
  drafts.dispose();
});

const DELETED: DurableOp = { type: 'node:delete', nodeIds: ['a'] };
const BACK: DurableOp = { type: 'node:add', node: NODE };
const GONE = 'Text (node deleted)';

test.for([['comes back'], ['is put back'], ['is put back when the form was left']] as const)(
  'what is typed before and after a colleague deletes the node is saved when the node %s',
  ([how]) => {
    const { drafts, receive, answer, read, unsaved } = openCanvas();
    drafts.held.open('node:a', () => true);
    drafts.change(SECOND, TYPED);
    receive(DELETED);
    expect(drafts.shown(HEADER)).toBe('text/html');
    expect(drafts.shown(SECOND)).toBe(TYPED);
    drafts.change(SECOND, `${TYPED} Please.`);
    // A field in which nothing was typed before.
    drafts.change(HEADER, 'text/plain');
    vi.advanceTimersByTime(3_000);
    const typed = [
      [GONE, `${TYPED} Please.`],
      [GONE, 'text/plain'],
    ];
    expect(unsaved()).toEqual(typed);
    expect(drafts.isSaving).toBe(false);
    if (how === 'is put back when the form was left') drafts.held.leave('node:a');
    expect(unsaved()).toEqual(typed);
    if (how === 'comes back') receive(BACK);
    else drafts.held.putBack(drafts.unsaved[0]!);
    expect(unsaved()).toEqual([]);
    vi.advanceTimersByTime(300);
    answer();
    vi.advanceTimersByTime(300);
    answer();
    expect(read('/config/messages/1/content')).toBe(`${TYPED} Please.`);
    expect(read('/config/headers/accept')).toBe('text/plain');
    expect([drafts.unsaved, drafts.isSaving]).toEqual([[], false]);
    drafts.dispose();
  },
);

test('a form that nobody is in goes with its node, and what was typed in it returns with it, also after a reload', () => {
  const { drafts, receive } = openCanvas();
  drafts.held.open('node:a', () => false);
  drafts.change(SECOND, TYPED);
  receive(DELETED);
  expect(drafts.held.node('a')).toBeUndefined();
  expect(drafts.unsaved.map(({ draft }) => draft)).toEqual([null]);
  drafts.dispose();
  const again = openCanvas([{ id: 'b', type: 'tool', config: {} }]);
  expect(again.unsaved()).toEqual([[GONE, TYPED]]);
  again.drafts.held.putBack(again.drafts.unsaved[0]!);
  vi.advanceTimersByTime(300);
  again.answer();
  expect(again.read('/config/messages/1/content')).toBe(TYPED);
  expect(again.unsaved()).toEqual([]);
  again.drafts.dispose();
});

test('a lost text returns to its entry of a list alone, and never to another one at its index', () => {
  const { drafts, receive, answer, read, unsaved } = openCanvas();
  drafts.change(SECOND, TYPED);
  receive(setMessages(say('system', 'Be kind')));
  const lost = [['Text (moved or deleted)', TYPED]];
  receive(setMessages(say('system', 'Be kind'), say('user', 'Another')));
  expect(unsaved()).toEqual(lost);
  receive(set('/config/messages', NODE.config.messages));
  expect(unsaved()).toEqual([]);
  vi.advanceTimersByTime(300);
  answer();
  expect(read('/config/messages/1/content')).toBe(TYPED);
  receive(setMessages(say('system', 'Be kind')));
  drafts.change(field('/config/messages/0/content'), 'Be quick');
  receive(setMessages());
  drafts.held.putBack(drafts.unsaved[0]!);
  vi.advanceTimersByTime(300);
  answer();
  expect(read('/config/messages')).toEqual([say('system', 'Be quick')]);
  drafts.dispose();
});

test('a node of another kind with the id of a deleted one does not get its text', () => {
  const { drafts, receive, unsaved } = openCanvas();
  drafts.change(HEADER, 'text/plain');
  receive(DELETED);
  receive({ type: 'node:add', node: { ...NODE, type: 'tool' } });
  expect(unsaved()).toEqual([[GONE, 'text/plain']]);
  drafts.dispose();
});
