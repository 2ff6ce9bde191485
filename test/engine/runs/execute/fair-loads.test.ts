/** The loads of one organization would fill the pool of connections and the turns of a process, and the nodes of all others wait. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Db } from '../../../../src/base/db/client.ts';
import { ByteBudget } from '../../../../src/base/shares/byte-budget.ts';
import { FairSemaphore } from '../../../../src/base/shares/fair-semaphore.ts';
import { runNode } from '../../../../src/engine/runs/execute/attempt/run.ts';
import { createExecuteDeps } from '../../../../src/engine/runs/execute/deps.ts';
import { FREE_STATE_BYTES } from '../../../../src/engine/runs/ledger/read/value-share.ts';
import { firstTask, patientHost, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import { END, START, edge, http, workflow } from '../../../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../support/http-recorder.ts';

const LOADS = 2;

let advancing: Advancing;
let recorder: HttpRecorder;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  advancing = await startAdvancing({ OUTBOUND_ALLOW: recorder.hostPort });
});
afterAll(async () => {
  await advancing.close();
  await recorder.close();
});

/** A workflow of nodes that read the input, side by side. */
function readers(tag: string, count: number) {
  const ids = Array.from({ length: count }, (_, at) => `n${at}`);
  const nodes = ids.map((id) =>
    http(id, recorder.url(tag), { method: 'GET', headers: { length: '{{input.text.length}}' } }),
  );
  return {
    ids,
    definition: workflow(
      nodes,
      ids.flatMap((id) => [edge(START, id), edge(id, END)]),
    ),
  };
}

test('SEC-F23: few loads of one organization are under way at a time, and those of another do not wait for them', async () => {
  const { db, ...rest } = advancing.deps;
  let held = '';
  const pending: (() => void)[] = [];
  const holding: Db = {
    ...db,
    async query(text, params) {
      if (text.includes('"isRead"') && params?.[0] === held)
        await new Promise<void>((resolve) => pending.push(resolve));
      return db.query(text, params);
    },
  };
  const loads = new FairSemaphore({ capacity: LOADS + 1, perOrganization: LOADS });
  const deps = createExecuteDeps({ ...rest, db: holding, loads });
  const { ids, definition } = readers('many', 6);
  const many = await advancing.run(definition, { text: 'x'.repeat(2 * FREE_STATE_BYTES) });
  const one = await advancing.run(readers('one', 1).definition, { text: 'y' });
  held = many.rootRunPk;
  const ends = ids.map((id) => runNode(deps, patientHost, { task: firstTask(many, id) }));
  await vi.waitFor(() => expect(pending).toHaveLength(LOADS));
  expect(await runNode(deps, patientHost, { task: firstTask(one, 'n0') })).toMatchObject({ kind: 'done' });
  expect(pending).toHaveLength(LOADS);
  // Each load has two statements: of the sizes, and of the values.
  for (let at = 0; at < 2 * ids.length; at += 1) {
    await vi.waitFor(() => expect(pending).not.toEqual([]));
    expect(pending.length).toBeLessThanOrEqual(LOADS);
    pending.shift()?.();
  }
  for (const end of ends) expect(await end).toMatchObject({ kind: 'done' });
  expect(loads.held).toBe(0);
});

test('SEC-F23: a load that waits for bytes has no turn, which those who have the bytes may wait for', async () => {
  const size = 2 * FREE_STATE_BYTES;
  const loads = new FairSemaphore({ capacity: 1, perOrganization: 1 });
  const bytes = new ByteBudget({ capacity: 10 * size, perOrganization: size });
  const deps = createExecuteDeps({ ...advancing.deps, loads, bytes });
  const { definition } = readers('waits', 1);
  const ref = await advancing.run(definition, { text: 'x'.repeat(size) });
  const older = bytes.open(ref.organizationId);
  expect(older.grow(size, null)).toBeNull();
  const end = runNode(deps, patientHost, { task: firstTask(ref, 'n0') });
  await vi.waitFor(() => expect(bytes.waiting).toBe(1));
  await vi.waitFor(() => expect(loads.held).toBe(0));
  older.close();
  expect(await end).toMatchObject({ kind: 'done' });
});
