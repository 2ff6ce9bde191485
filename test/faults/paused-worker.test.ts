/**
 * A worker that wakes up after its lease was taken over would write over the results of its successor (SPEC REL-R26).
 * `FAULT_PAUSES` pauses more often.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, sleep } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { errandChild, errands, scriptErrands, talking, type Errand } from './support/errands.ts';
import { describeOpenRuns } from './support/open-runs.ts';
import { misread, settled, violations } from './support/promises.ts';
import { random } from './support/random.ts';
import { startSituation, type Situation } from './support/situation.ts';
import { travel, type Segment } from './support/traveller.ts';

const PAUSES = Number(process.env['FAULT_PAUSES'] ?? 1);
/** Longer than a lease (6 s) and than Temporal's heartbeat timeout and that of a workflow task (10 s). */
const PAUSE_MS = 13_000;
/** A worker renews its lease every 1.5 s: by then only that of the paused one is this old. */
const STALE_AFTER_MS = 3_500;
/** Runs of each errand in a round. */
const RUNS_EACH = 2;
const RUNS_OF_MODELS = 16;

const dice = random();
let situation: Situation;
let client: PatientClient;
let mixed: readonly Errand[];
const accepted: string[] = [];
/** The steps whose attempts a worker held while it was paused. */
const held = new Set<string>();
beforeAll(async () => {
  situation = await startSituation();
  const { recorder, model } = situation;
  client = new PatientClient(situation.service);
  scriptErrands(model);
  const world = { recorder, random: dice };
  const body = { name: 'Child', workflow_schema: errandChild(world) };
  const childId = String((await client.send('POST', '/workflows', { body })).body.id);
  await client.send('POST', `/workflows/${childId}/deploy`, { body: {} });
  mixed = errands({ ...world, childId });
});
afterAll(() => situation.close());

interface Travelled {
  readonly key: string;
  readonly errand: Errand;
  readonly segments: readonly Segment[];
}

async function run(errand: Errand): Promise<Travelled> {
  const key = randomUUID();
  const { definition } = errand;
  return { key, errand, segments: await travel(situation, client, { definition, input: { key } }) };
}

/** Notes what the paused worker holds: nobody else writes these steps before its lease is over. */
async function noteHeld(): Promise<void> {
  const rows = await situation.db.query<{ step_id: string }>(
    `SELECT step_id FROM run_steps WHERE status = 'running' AND held_by IN (
       SELECT worker_id FROM worker_leases WHERE renewed_at < clock_timestamp() - interval '2.5 seconds')`,
  );
  for (const { step_id: stepId } of rows) held.add(stepId);
}

/** Starts the runs, pauses a worker in their middle, and sees all of them to their end. */
async function pauseUnder(started: readonly Errand[]): Promise<readonly Travelled[]> {
  const travelling = Promise.all(started.map(run));
  travelling.catch(() => undefined);
  await eventually('half of the runs to be in an attempt', 60_000, async () => {
    const rows = await situation.db.query(
      `SELECT DISTINCT run_pk FROM run_steps WHERE status = 'running' AND held_by IS NOT NULL`,
    );
    return rows.length >= started.length / 2 || null;
  });
  await sleep(dice.between(0, 3_000));
  const paused = dice.pick(situation.service.workers);
  paused.signal('SIGSTOP');
  try {
    await sleep(STALE_AFTER_MS);
    await noteHeld();
    await sleep(PAUSE_MS - STALE_AFTER_MS);
  } finally {
    paused.signal('SIGCONT');
  }
  return travelling.catch(async (error: unknown) => {
    throw new Error(`${String(error)}; still open:\n${await describeOpenRuns(situation)}`);
  });
}

/** Calls whose outcome nobody knows, although the paused worker did not hold them. */
async function needlessUnknowns(): Promise<string[]> {
  const rows = await situation.db.query<{ step_id: string; node_id: string; run_id: string }>(
    `SELECT s.step_id, s.node_id, r.run_id FROM run_steps s JOIN runs r ON r.id = s.run_pk
     WHERE s.error->>'code' = 'outcome_unknown' AND s.sent_at IS NOT NULL`,
  );
  return rows
    .filter(({ step_id: stepId }) => !held.has(stepId))
    .map(
      ({ node_id: node, run_id: run }) =>
        `${node} of run ${run} is unknown and was not held when it was paused`,
    );
}

function wrongEnds(travelled: readonly Travelled[]): string[] {
  return travelled.flatMap(({ key, errand, segments }) => {
    const end = segments.at(-1)?.reading.end;
    if (end === undefined) return [`${errand.name} ${key} has no end`];
    if (end.type === 'run_completed') {
      const [is, should] = [JSON.stringify(end['output']), JSON.stringify(errand.output(key))];
      return is === should
        ? []
        : [`${errand.name} of run ${String(end['run_id'])} is ${is} instead of ${should}`];
    }
    const { code } = end['error'] as { readonly code: string };
    return code === 'outcome_unknown' ? [] : [`${errand.name}: ${JSON.stringify(end)}`];
  });
}

/** Checks every promise; a run that failed did so because nobody can know whether its call had its effect. */
async function expectKept(travelled: readonly Travelled[]): Promise<void> {
  const segments = travelled.flatMap((one) => one.segments);
  accepted.push(...segments.map(({ runId }) => runId));
  await settled(situation);
  const found = [...wrongEnds(travelled), ...(await needlessUnknowns())];
  found.push(...(await violations(situation, accepted)));
  for (const { runId, reading } of segments) found.push(...(await misread(situation.db, runId, reading)));
  const ends: Record<string, number> = {};
  for (const { errand, segments: own } of travelled) {
    const name = `${errand.name} ${own.at(-1)?.reading.end.type.slice(4)}`;
    ends[name] = (ends[name] ?? 0) + 1;
  }
  process.stdout.write(`pause: ${JSON.stringify({ seed: dice.seed, held: held.size, ends })}\n`);
  expect({ seed: dice.seed, found }).toEqual({ seed: dice.seed, found: [] });
}

const timeout = 180_000 + PAUSES * 60_000;

test(
  `a worker is paused under runs of all kinds (${PAUSES} times): every run ends, and as its record says`,
  { timeout },
  async () => {
    for (let pause = 0; pause < PAUSES; pause += 1) {
      const started = Array.from({ length: RUNS_EACH }, () => mixed).flat();
      await expectKept(await pauseUnder(started));
    }
  },
);

test(
  `a worker is paused under models alone (${PAUSES} times): every answer is whole`,
  { timeout },
  async () => {
    for (let pause = 0; pause < PAUSES; pause += 1) {
      const round = await pauseUnder(Array.from({ length: RUNS_OF_MODELS }, talking));
      await expectKept(round);
      expect(round.map(({ segments }) => segments.at(-1)?.reading.end.type)).toEqual(
        round.map(() => 'run_completed'),
      );
    }
  },
);
