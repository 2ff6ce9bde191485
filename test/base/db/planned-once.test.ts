/** Every request would plan its statements anew, and the API would take far more of the database's time. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintKey, verifyKey } from '../../../src/platform/access/api-key.ts';
import { findOrCreateUser } from '../../../src/platform/access/provision.ts';
import { findLive } from '../../../src/engine/runs/ledger/read/workflows.ts';
import { EventReader } from '../../../src/engine/runs/ledger/read/event-reader.ts';
import { selectWorkflowText } from '../../../src/features/workflows/store.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';

/** PostgreSQL tries plans for the values at hand five times, and keeps to one for all if they are not worth it. */
const TRIALS = 5;
const SECRET = 'a secret of this test';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase(1);
});
afterAll(() => db.close());

test('each question of a request is planned once', async () => {
  const [organizationId, subject] = [randomUUID(), `user_${randomUUID()}`];
  await db.query('INSERT INTO users (subject, email) VALUES ($1, $2)', [subject, 'ann@example.com']);
  const events = new EventReader(db);
  const deps = { db, seedAccount: async () => undefined };
  const claims = { subject, email: 'ann@example.com', role: null, sessionId: null, isEmailVerified: true };
  for (let time = 0; time < 2 * TRIALS; time += 1) {
    await findLive(db, { organizationId, workflowId: randomUUID() });
    await selectWorkflowText(db, organizationId, randomUUID());
    // A request's role has a statement of its own.
    await selectWorkflowText(db.within({ request: '', organizationId }), organizationId, randomUUID());
    await events.read(randomUUID(), 0);
    await findOrCreateUser(deps, claims, organizationId);
    await verifyKey(
      db,
      { apiKeySecret: SECRET, otherApiKeySecret: null },
      { key: mintKey(SECRET).key, organizationId },
    ).catch(() => null);
  }
  const rows = await db.query<{ custom_plans: number }>(
    `SELECT custom_plans FROM pg_prepared_statements WHERE statement LIKE '% AS keys(%'`,
  );
  expect(rows.map((row) => row.custom_plans)).toEqual(Array.from({ length: 6 }, () => TRIALS));
});
