/** A tool would be stopped while it waits for its turn, or keep a connection after its attempt has ended. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Secrets } from '../../../../src/platform/credentials/vault/secrets.ts';
import type { Db } from '../../../../src/base/db/client.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import type { NodeTools } from '../../../../src/language/nodes/tools.ts';
import { BYTE_LIMITS } from '../../../../src/platform/outbound/answer-bytes.ts';
import { runNode } from '../../../../src/engine/runs/execute/attempt/run.ts';
import {
  createExecuteDeps,
  type ExecuteDeps,
  type ToolUser,
} from '../../../../src/engine/runs/execute/deps.ts';
import type { RunRef } from '../../../../src/engine/runs/engine.ts';
import type { ByteLease } from '../../../../src/base/shares/byte-budget.ts';
import { SANDBOX_LIMITS } from '../../../../src/platform/sandbox/shares.ts';
import { firstTask, patientHost, startAdvancing, type Advancing } from '../../../support/advancing.ts';
import { chain, http, node } from '../../../support/definitions.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../support/http-recorder.ts';
import { stepsOf } from '../../../support/records.ts';

let advancing: Advancing;
let recorder: HttpRecorder;
let db: Db;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  advancing = await startAdvancing({ OUTBOUND_ALLOW: recorder.hostPort });
  ({ db } = advancing);
});
afterEach(() => recorder.release());
afterAll(async () => {
  await advancing.close();
  await recorder.close();
});

const statusOf = async (ref: RunRef): Promise<unknown> =>
  (await stepsOf(db, ref.rootRunPk)).map((step) => step['status']);

/** Runs the only node of a run to its end. */
async function play(
  deps: ExecuteDeps,
  { ref, nodeId }: { readonly ref: RunRef; readonly nodeId: string },
  meanwhile: () => Promise<void>,
): Promise<void> {
  const end = runNode(deps, patientHost, { task: firstTask(ref, nodeId) });
  await meanwhile();
  await end;
}

/** Functions without end of other organizations, on all the threads of the sandbox. @returns the functions that end them */
function flood(sandbox: NodeTools['sandbox']): (() => void)[] {
  const { capacity, perOrganization } = SANDBOX_LIMITS.threads;
  const code = 'export default () => { for (;;) {} }';
  return Array.from({ length: capacity }, (_, at) => {
    const stop = new AbortController();
    const organizationId = at < perOrganization ? 'flood' : 'other';
    const job = { organizationId, code, argument: null, timeoutMs: 30_000, memoryMb: 128 };
    sandbox.run({ ...job, signal: stop.signal }).catch(() => undefined);
    return () => stop.abort(new Error('ended'));
  });
}

test(
  'SEC-X15: a function that waits for its turn longer than its node may take ends well',
  { timeout: 60_000 },
  async () => {
    const { deps } = advancing;
    const code = 'export default () => 7';
    const first = { organizationId: 'o', code, argument: null, timeoutMs: 20_000, memoryMb: 128 };
    await deps.tools.sandbox.run({ ...first, signal: new AbortController().signal });
    const endings = flood(deps.tools.sandbox);
    const ref = await advancing.run(chain(node('f', 'function', { code }, { timeout_ms: 4_000 })));
    await play(deps, { ref, nodeId: 'f' }, async () => {
      await pause(4_300);
      expect(await statusOf(ref)).toEqual(['running']);
      // All of them: the time of the function, which runs now, is not to be shared with them.
      for (const end of endings) end();
    });
    expect(await stepsOf(db, ref.rootRunPk)).toMatchObject([{ status: 'succeeded', output: 7 }]);
  },
);

/** A process that notes how the steps of a run stand whenever an attempt lets go of what it holds. */
function noting(ref: () => RunRef): { readonly deps: ExecuteDeps; readonly seen: Promise<unknown>[] } {
  const { deps } = advancing;
  const seen: Promise<unknown>[] = [];
  const open = (organizationId: string): ByteLease => {
    const lease = deps.bytes.open(organizationId);
    return {
      grow: (bytes, signal) => lease.grow(bytes, signal),
      close() {
        seen.push(statusOf(ref()));
        lease.close();
      },
    };
  };
  return { deps: createExecuteDeps({ ...deps, bytes: { open } }), seen };
}

test.each([
  ['that is over soon', {}],
  ['that takes long', { hold: 1 }],
])(
  'SEC-F22: the answers that a node %s holds are let go of once, when its end is written',
  async (tag, query) => {
    const definition: JsonObject = chain(
      http('h', recorder.url(tag.replaceAll(' ', '-'), query), { method: 'GET' }),
    );
    const ref = await advancing.run(definition);
    const { deps, seen } = noting(() => ref);
    await play(deps, { ref, nodeId: 'h' }, async () => {
      await recorder.waitFor(tag.replaceAll(' ', '-'), 1);
      if ('hold' in query) expect(seen).toEqual([]);
      recorder.release();
    });
    expect(await Promise.all(seen)).toEqual([['succeeded']]);
  },
);

test('SEC-F22: answers of attempts that have not ended fill the bound of their organization, and the next one waits', async () => {
  const size = 9_900_000;
  const fits = Math.floor(BYTE_LIMITS.perOrganization / size);
  const leases: ByteLease[] = [];
  const get = async (organizationId: string): Promise<number> => {
    const lease = advancing.deps.bytes.open(organizationId);
    leases.push(lease);
    const user: ToolUser = { organizationId, runDepth: 0, pauseTimeout: () => () => undefined, lease };
    const { signal } = new AbortController();
    const request = { method: 'GET', url: recorder.url('large', { size }), headers: {}, body: null, signal };
    return (await advancing.deps.tools.attempt(new Secrets(), user).http.send(request)).text.length;
  };
  for (let count = 0; count < fits; count += 1) expect(await get('a')).toBeGreaterThan(size);
  let isRead = false;
  const next = get('a').then(() => (isRead = true));
  await recorder.waitFor('large', fits + 1);
  expect(await get('b')).toBeGreaterThan(size);
  expect(isRead).toBe(false);
  leases[0]?.close();
  await next;
  for (const lease of leases) lease.close();
});
