/** An edit that rewrites what it has read: if this fails, it is lost when a colleague has changed that meanwhile. */
import { expect, test } from 'vitest';
import { readDocument } from '../../../../src/features/canvas/room/document.ts';
import { RebuiltEdits } from '../../../../src/surfaces/web/canvas/rebuilt-edits.ts';

test('a refused edit is built again from what is there then, five times at most', () => {
  const built: string[] = [];
  const pending = new Set<string>();
  const edits = new RebuiltEdits({
    view: () => readDocument({}),
    send: () => {
      pending.add(`op-${built.length}`);
      return `op-${built.length}`;
    },
    isPending: (opId) => pending.has(opId),
  });
  const build = () => {
    built.push('again');
    return { type: 'batch', reason: 'other', mode: 'atomic', ops: [] } as const;
  };
  expect(edits.edit(build, {})).toBe(true);
  for (const last of [1, 2, 3, 4]) {
    pending.clear();
    expect(edits.retry(`op-${last}`)).toBe(true);
  }
  pending.clear();
  expect(edits.retry('op-5')).toBe(false);
  expect(edits.retry('op-1')).toBe(false);
  expect(built).toHaveLength(5);
  expect(edits.edit(() => null, {})).toBe(false);
});
