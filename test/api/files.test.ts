/** Files over the API: uploaded, described, handed out in parts, limited by the plan, and gone when they should be. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteTree } from '../../src/engine/runs/ledger/erase/delete-runs.ts';
import { deleteValues } from '../../src/engine/runs/ledger/erase/delete-values.ts';
import { writeRerunStart } from '../../src/engine/runs/ledger/write/rerun-start.ts';
import { takeStep } from '../../src/features/data/job-runner.ts';
import { insertJob, readJob } from '../../src/features/data/jobs.ts';
import { NothingSentError } from '../../src/language/nodes/failure.ts';
import { createFilesPort } from '../../src/platform/files/node-files.ts';
import { readRange } from '../../src/platform/files/api/service.ts';
import {
  deployWorkflow,
  hello,
  startApi,
  type Answer,
  type ApiServer,
  type Tenant,
} from '../support/api-server.ts';
import { uploadFile } from '../support/files.ts';
import { filePart, multipart, type Part } from '../support/knowledge.ts';

let api: ApiServer;
let tenant: Tenant;
let stranger: Tenant;

const upload = (
  bytes: Uint8Array | string,
  { who = tenant, ...named }: Parameters<typeof uploadFile>[2] & { readonly who?: Tenant } = {},
): Promise<Answer> => uploadFile(who, bytes, named);
const download = (id: string, headers: Record<string, string> = {}, who = tenant): Promise<Response> =>
  fetch(`${api.url}/files/${id}/content`, {
    headers: { authorization: `Bearer ${who.token}`, 'x-organization-id': who.org, ...headers },
  });
const setPlan = (entitlements: object, org = tenant.org): Promise<unknown> =>
  api.deps.db.query('UPDATE organizations SET entitlements = $2 WHERE id = $1', [org, entitlements]);
const readUsed = async (org = tenant.org): Promise<number> =>
  (
    await api.deps.db.query<{ bytes: number }>('SELECT bytes FROM file_usage WHERE organization_id = $1', [
      org,
    ])
  )[0]?.bytes ?? 0;
/** The ids of what is stored. */
const listStored = async (): Promise<string[]> => {
  const folder = api.deps.config.filesDirectory ?? '';
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return names.filter((entry) => entry.isFile()).map(({ name }) => name);
};
const sweep = () => api.deps.files?.sweep(api.deps.db);

beforeAll(async () => {
  api = await startApi();
  [tenant, stranger] = await Promise.all([api.tenant(), api.tenant()]);
});
afterAll(() => api.close());

test('a file is described, handed out as it came, and stored unreadable', async () => {
  const bytes = Buffer.concat([Buffer.from('a text that nobody may read on the disk'), randomBytes(150_000)]);
  const made = await upload(bytes, { name: "../a/ä (b)'s.pdf", type: 'Application/PDF; x=y' });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { id } = made.body;
  const described = { name: "ä (b)'s.pdf", media_type: 'application/pdf', size: bytes.length, sha256 };
  expect([made.status, made.body]).toMatchObject([
    201,
    { ...described, reference: { $file: id, ...described } },
  ]);
  expect((await tenant.call('GET', `/files/${id}`)).body).toEqual(made.body);
  const answer = await download(id);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''%C3%A4%20%28b%29%27s.pdf`,
    'content-length': String(bytes.length),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
  });
  const stored = await readFile(`${api.deps.config.filesDirectory}/${id.slice(0, 2)}/${id}`);
  expect(stored.includes('a text that nobody')).toBe(false);
});

test.each([
  ['bytes=0-9', 0, 10],
  ['bytes=65530-65545', 65_530, 65_546],
  ['bytes=199990-', 199_990, 200_000],
  ['bytes=-5', 199_995, 200_000],
  ['bytes=199990-999999', 199_990, 200_000],
])('the part %s of a file is handed out alone', async (header, start, end) => {
  const bytes = randomBytes(200_000);
  const { id } = (await upload(bytes)).body;
  const answer = await download(id, { range: header });
  expect([answer.status, answer.headers.get('content-range')]).toEqual([
    206,
    `bytes ${start}-${end - 1}/200000`,
  ]);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
});

test.each(['bytes=10-', 'bytes=5-4', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-0'])(
  'a range that cannot be read, or is beyond the end, means the whole file: %s',
  (header) => expect(readRange(header, 10)).toBe(null),
);

test('a key that is pinned to no organization downloads a file, too', async () => {
  const { key } = (await tenant.call('POST', '/api-keys', { body: { name: 'unpinned' } })).body;
  const { id } = (await upload('of a program')).body;
  const answer = await download(id, {}, { ...tenant, token: key });
  expect(await answer.text()).toBe('of a program');
});

test('an empty file is a file', async () => {
  const { status, body } = await upload('');
  expect([status, body.size]).toEqual([201, 0]);
  const answer = await download(body.id);
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 0]);
});

test('files are listed newest first, by pages', async () => {
  const someone = await api.tenant();
  const ids: string[] = [];
  for (const name of ['1', '2', '3']) ids.unshift((await upload('x', { name, who: someone })).body.id);
  const first = (await someone.call('GET', '/files?limit=2')).body;
  const second = (await someone.call('GET', `/files?limit=2&cursor=${first.next_cursor}`)).body;
  expect([...first.files, ...second.files].map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(second.next_cursor).toBe(null);
});

test('a file of another organization does not exist', async () => {
  const { id } = (await upload('mine')).body;
  for (const path of [`/files/${id}`, `/files/${id}/content`])
    expect((await stranger.call('GET', path)).body).toMatchObject({ detail: 'File not found' });
  expect((await stranger.call('DELETE', `/files/${id}`)).status).toBe(404);
  expect((await stranger.call('GET', '/files')).body.files).toEqual([]);
  expect((await download(id)).status).toBe(200);
});

describe('bodies that are no upload', () => {
  const send = (parts: readonly Part[], end?: string) => tenant.call('POST', '/files', multipart(parts, end));
  test.each<[string, () => Promise<Answer>, number]>([
    ['none', () => send([]), 422],
    ['another field', () => send([{ ...filePart('x'), name: 'other' }]), 422],
    ['two files', () => send([filePart('x'), filePart('y')]), 422],
    ['a text beside the file', () => send([filePart('x'), { name: 'a', value: 'b' }]), 422],
    ['a body without its end', () => send([filePart('x'.repeat(100_000))], ''), 422],
    ['JSON', () => tenant.call('POST', '/files', { body: {} }), 422],
  ])('%s is refused, and leaves nothing', async (_, attempt, status) => {
    const before = [await readUsed(), (await listStored()).length];
    expect((await attempt()).status).toBe(status);
    expect([await readUsed(), (await listStored()).length]).toEqual(before);
    expect(await api.deps.db.query('SELECT 1 FROM stray_files')).toEqual([]);
  });
});

test('a connection that ends in the middle of an upload leaves nothing', async () => {
  const before = [await readUsed(), (await listStored()).length];
  const { raw, headers } = multipart([filePart(randomBytes(300_000))]);
  const sent = request(`${api.url}/files`, {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${tenant.token}`,
      'x-organization-id': tenant.org,
      'content-length': raw.length,
    },
  });
  sent.on('error', () => undefined);
  sent.write(raw.subarray(0, 200_000));
  // The upload has begun once its bytes are noted.
  const count = async () => (await api.deps.db.query('SELECT 1 FROM stray_files')).length;
  await expect.poll(count, { timeout: 10_000 }).toBe(1);
  sent.destroy();
  await expect.poll(count, { timeout: 10_000 }).toBe(0);
  expect([await readUsed(), (await listStored()).length]).toEqual(before);
});

describe('limits of the plan', () => {
  test('a file as large as the plan allows is stored, and one byte more is refused', async () => {
    await setPlan({ file_size_bytes: 100_000 });
    expect((await upload(randomBytes(100_000))).status).toBe(201);
    const refused = await upload(randomBytes(100_001));
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([413, 'file_too_large']);
    await setPlan({});
  });

  test('files fill the plan to its last byte, an empty one counts 1 KiB, and a deletion makes place', async () => {
    const someone = await api.tenant();
    await setPlan({ file_bytes: 101_024 }, someone.org);
    const { id } = (await upload(randomBytes(100_000), { who: someone })).body;
    expect((await upload('', { who: someone })).status).toBe(201);
    expect(await readUsed(someone.org)).toBe(101_024);
    expect(await upload('', { who: someone })).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', key: 'file_bytes', limit: 101_024, current: 101_024 },
    });
    expect((await someone.call('DELETE', `/files/${id}`)).status).toBe(200);
    expect(await readUsed(someone.org)).toBe(1_024);
    expect((await upload(randomBytes(100_000), { who: someone })).status).toBe(201);
  });

  test('of concurrent uploads that fit one by one as many are stored as fit together', async () => {
    const someone = await api.tenant();
    await setPlan({ file_bytes: 250_000 }, someone.org);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => upload(randomBytes(100_000), { who: someone })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403]);
    expect(await readUsed(someone.org)).toBe(200_000);
  });
});

test('a deleted file is gone from the storage with the next sweep, and one that nobody uses a week later', async () => {
  const { id } = (await upload('deleted')).body;
  const { id: old, expires_at: expires } = (await upload('old')).body;
  expect((Date.parse(expires) - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
  await tenant.call('DELETE', `/files/${id}`);
  expect((await download(id)).status).toBe(404);
  await sweep();
  expect([await listStored()].flat()).not.toContain(id);
  expect(await listStored()).toContain(old);
  await api.deps.db.query('UPDATE files SET due_at = now() WHERE id = $1', [old]);
  await sweep();
  expect(await listStored()).not.toContain(old);
  expect((await download(old)).status).toBe(404);
  expect(await api.deps.db.query('SELECT 1 FROM stray_files')).toEqual([]);
});

describe('files of runs', () => {
  const start = (input: object, who = tenant): Promise<Answer> =>
    who.call('POST', '/workflows/run', { body: { workflow: hello(), input } });
  const findRun = async (runId: string): Promise<string> =>
    (await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]))[0]?.id ?? '';
  const startWith = async (...references: object[]): Promise<string> =>
    findRun((await start({ text: 'x', deep: [{ documents: references }] })).body.run_id);
  /** The run as its end would leave it: no worker is here. */
  const end = (runPk: string) =>
    api.deps.db.query(`UPDATE runs SET status = 'completed', completed_at = now() WHERE id = $1`, [runPk]);
  const isKept = async (id: string): Promise<boolean> => {
    await sweep();
    return (await listStored()).includes(id);
  };

  test('a run keeps the files of its input until its values are deleted, and then they are gone', async () => {
    const { reference, id } = (await upload('an input')).body;
    const run = await startWith(reference);
    expect((await tenant.call('GET', `/files/${id}`)).body.expires_at).toBe(null);
    await end(run);
    expect(await isKept(id)).toBe(true);
    await api.deps.db.transaction((tx) => deleteValues(tx, [run]));
    expect(await isKept(id)).toBe(false);
    expect((await download(id)).status).toBe(404);
  });

  test('a file lives as long as any run that refers to it', async () => {
    const { reference, id } = (await upload('of two runs')).body;
    const runs = [await startWith(reference), await startWith(reference, { ...reference, name: 'again' })];
    for (const run of runs) await end(run);
    expect([await deleteTree(api.deps.db, runs[0] ?? ''), await isKept(id)]).toEqual(['deleted', true]);
    expect([await deleteTree(api.deps.db, runs[1] ?? ''), await isKept(id)]).toEqual(['deleted', false]);
  });

  test('of two deletions at the same time the second one sees that no reference is left', async () => {
    const { db } = api.deps;
    const { reference, id } = (await upload('of two deletions')).body;
    const [first, second] = [await startWith(reference), await startWith(reference)];
    const remove = 'DELETE FROM file_references WHERE run_pk = $1';
    let after: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      await tx.query(remove, [first]);
      after = db.query(remove, [second]);
      const waiting = async () =>
        (
          await db.query(
            `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query = '${remove}'`,
          )
        ).length;
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    });
    await after;
    expect(await isKept(id)).toBe(false);
  });

  test('a rerun keeps the files of the steps that it reuses', async () => {
    const { db } = api.deps;
    const { reference, id } = (await upload('made by a step')).body;
    const first = await startWith(reference);
    const stepId = randomUUID();
    await db.query(
      `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, item_index, iteration, depth, position, status, effect)
       VALUES ($1, $2, $2, 'a', 'transformer', 'a', 1, -1, 1, 1, 1, 'completed', 'pure')`,
      [stepId, first],
    );
    const rerun = await startWith();
    const fields = { names: [], values: [] };
    const reuse = { progress: '{}', fields, items: [], sent: [], steps: [{ stepId, output: null }] };
    await db.transaction((tx) => writeRerunStart(tx, rerun, reuse));
    for (const run of [first, rerun]) await end(run);
    await deleteTree(db, first);
    expect(await isKept(id)).toBe(true);
    await deleteTree(db, rerun);
    expect(await isKept(id)).toBe(false);
  });

  test('a node opens the file that its reference describes, and no other', async () => {
    const { reference } = (await upload('for a node')).body;
    const files = createFilesPort(api.deps.db, api.deps.files);
    const open = await files.find(tenant.org, reference);
    expect(Buffer.concat(await Readable.from(open()).toArray()).toString()).toBe('for a node');
    for (const [org, given, code] of [
      [stranger.org, reference, 'file_not_found'],
      [tenant.org, { ...reference, $file: randomUUID() }, 'file_not_found'],
      [tenant.org, { ...reference, sha256: 'a'.repeat(64) }, 'file_changed'],
      [tenant.org, { ...reference, size: 9 }, 'file_changed'],
    ] as const) {
      const refused: unknown = await files.find(org, given).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(NothingSentError);
      expect(refused).toMatchObject({ code });
    }
  });

  test('a reference to a file of another organization, or to none, is refused when the run is accepted', async () => {
    const { reference, id } = (await upload('not theirs')).body;
    for (const [who, given] of [
      [stranger, reference],
      [tenant, { ...reference, $file: randomUUID() }],
    ] as const) {
      const refused = await start({ document: given }, who);
      expect([refused.status, refused.body.detail[0].type]).toEqual([422, 'file_not_found']);
    }
    const batch = { workflow_id: await deployWorkflow(stranger), inputs: [{ document: reference }] };
    expect((await stranger.call('POST', '/workflows/run/batch', { body: batch })).status).toBe(422);
    expect(await api.deps.db.query('SELECT 1 FROM file_references WHERE file_id = $1', [id])).toEqual([]);
  });
});

test('without a storage there are no files, and the answer says why', async () => {
  const { files } = api.deps;
  Object.assign(api.deps, { files: null });
  const refused = await upload('x');
  Object.assign(api.deps, { files });
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([503, 'files_not_configured']);
});

test('an export has the descriptions and no key, an erasure of the maker keeps the file, one of the organization deletes its bytes', async () => {
  const { db } = api.deps;
  const someone = await api.tenant();
  const [owner] = await db.query<{ id: string }>(
    'SELECT user_id AS id FROM memberships WHERE organization_id = $1',
    [someone.org],
  );
  const { id } = (await upload('kept', { who: someone })).body;
  const run = async (kind: 'export' | 'erasure', subject: Parameters<typeof insertJob>[1]['subject']) => {
    const job = await insertJob(db, { organization_id: someone.org, kind, subject, requested_by: null });
    while (await takeStep(db, job.id));
    return (await readJob(db, job.id))?.counts?.['files'];
  };
  expect(await run('export', { type: 'organization' })).toBe(1);
  expect(await run('erasure', { type: 'member', user_id: owner?.id ?? '' })).toBe(1);
  expect(await db.query('SELECT created_by FROM files WHERE id = $1', [id])).toEqual([{ created_by: null }]);
  expect(await run('erasure', { type: 'organization' })).toBe(1);
  await sweep();
  expect(await listStored()).not.toContain(id);
});
