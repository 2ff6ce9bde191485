/** A file would not arrive as it was uploaded, or stay behind the run that it was for. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteValues } from '../../src/engine/runs/ledger/erase/delete-values.ts';
import { openFileStore, type FileStore } from '../../src/platform/files/file-store.ts';
import { toReference } from '../../src/platform/files/rows.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { chain, node } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { stepsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let folder: string;
let store: FileStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-of-runs-'));
  const variables = {
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    FILES_DIR: folder,
  };
  ({ engine, recorder } = await startEngineWithRecorder(variables));
  const config = readConfig({ APP_ENV: 'test', DATABASE_URL: 'postgresql://unused', ...variables });
  const opened = openFileStore(config);
  if (opened === null) throw new Error('a storage is configured');
  store = opened;
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

const listBytes = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test('a file is uploaded, goes from the input of a run into the body of a request, and is gone with the values of the run', async () => {
  const { db, organizationId } = engine;
  const limits = { file_bytes: null, file_size_bytes: null };
  const file = { organizationId, name: 'a.txt', mediaType: 'text/plain', createdBy: null, limits };
  const row = await store.write(db, file, Readable.from([Buffer.from('the content')]));
  const definition = chain(
    node('post', 'tool', {
      kind: 'http',
      method: 'POST',
      url: recorder.url('upload'),
      headers: { 'content-type': 'multipart/form-data' },
      body: { document: '{{input.document}}', note: 'a note' },
    }),
  );
  const { accepted } = await engine.play(definition, { document: { ...toReference(row) } });
  const [call] = recorder.calls('upload');
  const sent = String(call?.body);
  expect(sent).toContain('filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nthe content\r\n');
  expect(sent).toContain('name="note"\r\n\r\na note\r\n');
  const [step] = await stepsOf(db, accepted.runPk);
  // The recorder answers with the body that it got.
  const recorded = JSON.stringify(step?.input);
  expect([recorded.includes(row.sha256), recorded.includes('the content')]).toEqual([true, false]);
  await store.sweep(db);
  expect(await listBytes()).toEqual([row.id]);
  await db.transaction((tx) => deleteValues(tx, [accepted.runPk]));
  await store.sweep(db);
  expect([await listBytes(), await db.query('SELECT 1 FROM files')]).toEqual([[], []]);
});

const download = (query: string) =>
  node('get', 'tool', { kind: 'http', url: `${recorder.url('download')}?${query}`, as: 'file' });
const listReferences = () =>
  engine.db.query<{ run_pk: string; name: string; size: number }>(
    'SELECT r.run_pk, f.name, f.size FROM file_references r JOIN files f ON f.id = r.file_id',
  );

test('an answer is kept as a file of its run, is sent on by the next node, and is gone with the values of the run', async () => {
  const { db } = engine;
  const definition = chain(
    download('size=200000'),
    node('post', 'tool', {
      kind: 'http',
      method: 'POST',
      url: recorder.url('sent-on'),
      headers: { 'content-type': 'application/octet-stream' },
      body: '{{get.data}}',
    }),
  );
  const { accepted } = await engine.play(definition, {});
  expect(await listReferences()).toMatchObject([{ run_pk: accepted.runPk, name: 'download' }]);
  const [call] = recorder.calls('sent-on');
  expect(JSON.stringify(call?.body).length).toBeGreaterThan(200_000);
  const [get, post] = await stepsOf(db, accepted.runPk);
  // The recorder answers the second one with the body that it got.
  expect([get, post?.input].map((shown) => JSON.stringify(shown).includes('xxxx'))).toEqual([false, false]);
  await store.sweep(db);
  expect(await listBytes()).toHaveLength(1);
  await db.transaction((tx) => deleteValues(tx, [accepted.runPk]));
  await store.sweep(db);
  expect([await listBytes(), await db.query('SELECT 1 FROM files')]).toEqual([[], []]);
});

test.each([
  [{ file_size_bytes: 100_000 }, 'file_too_large'],
  [{ file_bytes: 100_000 }, 'file_storage_full'],
  [{ file_bytes: 0 }, 'file_storage_full'],
])('an answer beyond the plan, %o, fails its node, and nothing of it stays', async (entitlements, code) => {
  const { db, organizationId } = engine;
  await db.query('UPDATE organizations SET entitlements = $2 WHERE id = $1', [organizationId, entitlements]);
  const before = recorder.calls('download').length;
  const { error } = await engine.play(chain(download('size=200000')), {});
  expect(error).toMatchObject({ code });
  expect([await listReferences(), await listBytes()]).toEqual([[], []]);
  // Where there is no room at all, the request is not even sent.
  const sent = recorder.calls('download').length - before;
  expect(sent).toBe('file_bytes' in entitlements && entitlements.file_bytes === 0 ? 0 : 1);
  await db.query(`UPDATE organizations SET entitlements = '{}' WHERE id = $1`, [organizationId]);
});
