/**
 * A crash would charge an organization twice or let it use credits that it does not have (SPEC REL-G10).
 * `FAULT_ROUNDS` kills more often, `FAULT_SEED` repeats the decisions.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/base/db/migrate.ts';
import { startCrashablePostgres, type CrashablePostgres } from '../support/crashable-postgres.ts';
import { sleep } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { settled, violations } from './support/promises.ts';
import { random } from './support/random.ts';
import { asking, talking } from './support/shapes.ts';
import { startSituation, type Situation } from './support/situation.ts';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 8);
const RUNS_PER_ROUND = 4;
/** One answer costs a credit: 700 tokens in, 100 out (README, "Plans and prices"). */
const USAGE = { input: 700, output: 100 };
const ALLOWANCE = 5;
const WALLET = 10_000;

let postgres: CrashablePostgres;
let situation: Situation;
let client: PatientClient;
beforeAll(async () => {
  postgres = await startCrashablePostgres();
  await migrate(postgres.url);
  situation = await startSituation({ databaseUrl: postgres.url });
  client = new PatientClient(situation.service);
  const { db, service } = situation;
  await db.query(`UPDATE organizations SET plan = 'pro', entitlements = $1`, [
    JSON.stringify({ monthly_credits: ALLOWANCE, sync_exec: null, api: null }),
  ]);
  await db.query('UPDATE credit_accounts SET is_overage_enabled = true');
  await db.query(
    `INSERT INTO wallet_ledger (organization_id, kind, amount_mc) VALUES ($1, 'adjustment', $2)`,
    [service.organizationId, WALLET * 1_000],
  );
});
afterAll(async () => {
  await situation.close();
  await postgres.close();
});

test(
  `${ROUNDS} kills, and every credit is accounted for`,
  { timeout: 240_000 + ROUNDS * 30_000 },
  async () => {
    const { seed, between, pick } = random();
    const { service, db, model, recorder } = situation;
    model.script({ text: Array.from({ length: 20 }, (_, at) => `w${at} `), delayMs: 40, usage: USAGE });
    const talk = async (): Promise<string> => {
      const runId = await client.run(talking(), { key: randomUUID() });
      await client.read(runId);
      return runId;
    };
    const regret = async (): Promise<string> => {
      const runId = await client.run(talking(), { key: randomUUID() });
      await sleep(between(0, 1_500));
      await client.send('POST', `/workflows/cancel/${runId}`);
      return runId;
    };
    const ask = async (): Promise<string> => {
      const runId = await client.run(asking(recorder), { key: randomUUID() });
      const { end } = await client.read(runId);
      if (end.type === 'run_interrupted') await client.answer(end);
      return runId;
    };
    const postmaster = { name: 'postgres', kill: () => postgres.kill(), start: () => postgres.start() };
    const runs: Promise<string>[] = [];
    const kills: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let count = 0; count < RUNS_PER_ROUND; count += 1) runs.push(pick([talk, talk, regret, ask])());
      await sleep(between(200, 2_000));
      const victims = [...service.apis, ...service.workers, postmaster];
      // Each kind at least once, whatever the seed.
      const victim = [postmaster, service.workers[0], service.apis[0]][round] ?? pick(victims);
      kills[victim.name] = (kills[victim.name] ?? 0) + 1;
      await victim.kill();
      await sleep(between(0, 1_500));
      await victim.start();
    }
    const accepted = await Promise.all(runs);
    await settled(situation);
    const found = await violations(situation, accepted);
    const [books] = await db.query<{ used: number; wallet: number; answers: number }>(
      `SELECT used_mc AS used, wallet_mc AS wallet, (SELECT count(*) FROM credit_usage) AS answers
     FROM credit_accounts WHERE organization_id = $1`,
      [service.organizationId],
    );
    process.stdout.write(`ledger: ${JSON.stringify({ seed, kills, runs: accepted.length, ...books })}\n`);
    expect({ seed, found }).toEqual({ seed, found: [] });
    // It was about money: the month was used up, and the wallet has paid.
    expect(books?.used).toBeGreaterThanOrEqual(ALLOWANCE * 1_000);
    expect(books?.wallet).toBeLessThan(WALLET * 1_000);
  },
);
