/**
 * Some crash or freeze, of an API, a worker, PostgreSQL or Temporal, would break a promise about runs (SPEC REL-R25).
 * `FAULT_ROUNDS` injures more often, a third of the time on Temporal as in production, on the PostgreSQL of the service;
 * `FAULT_TEMPORAL` (`development`, `production`) names one for all of it, `FAULT_SEED` repeats the decisions.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/base/db/migrate.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { startCrashablePostgres, type CrashablePostgres } from '../support/crashable-postgres.ts';
import { startCrashableTemporal, type CrashableTemporal } from '../support/crashable-temporal.ts';
import { hasProductionTemporal, startProductionTemporal } from '../support/production-temporal.ts';
import type { Slot } from '../support/service.ts';
import { sleep } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { errandChild, errands, scriptErrands } from './support/errands.ts';
import { describeOpenRuns } from './support/open-runs.ts';
import { misread, misreadLate, settled, violations } from './support/promises.ts';
import { random, type Random } from './support/random.ts';
import { asking, calling, child, given, looping, mapped, mixed, spread, waiting } from './support/shapes.ts';
import { startSituation, type Situation } from './support/situation.ts';
import { travel, type Segment } from './support/traveller.ts';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 8);
/** Runs begun per fault: some have ended, some are under way, whenever a server is injured. */
const RUNS_PER_ROUND = 3;
/** This part of the servers is frozen, the others are killed. */
const FREEZES = 0.4;

/** Faults by the Temporal that suffers them. */
function chooseServers(): [name: 'development' | 'production', rounds: number][] {
  const chosen = process.env['FAULT_TEMPORAL'];
  if (chosen === 'production' || chosen === 'development') return [[chosen, ROUNDS]];
  if (process.env['FAULT_ROUNDS'] === undefined || !hasProductionTemporal()) return [['development', ROUNDS]];
  const third = Math.round(ROUNDS / 3);
  return [
    ['development', ROUNDS - third],
    ['production', third],
  ];
}

let postgres: CrashablePostgres;
let temporal: CrashableTemporal;
let situation: Situation;
let client: PatientClient;

/** A server that is injured. */
interface Victim {
  readonly name: string;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  start(): Promise<void>;
}

const ofSlot = (slot: Slot): Victim => ({
  name: slot.name,
  freeze: () => slot.signal('SIGSTOP'),
  thaw: () => slot.signal('SIGCONT'),
  kill: () => slot.kill(),
  start: () => slot.start(),
});

function victims(): readonly Victim[] {
  const { apis, workers } = situation.service;
  const ofWorkers = workers.map(ofSlot);
  const servers = [
    { name: 'postgres', ...postgres },
    { name: 'temporal', ...temporal },
  ];
  return [...apis.map(ofSlot), ...ofWorkers, ...ofWorkers, ...servers];
}

/** Freezes a server, or kills it and starts it again. @returns what was done to whom, as it is counted */
async function injure({ between, pick, chance }: Random): Promise<string> {
  const victim = pick(victims());
  if (chance(FREEZES)) {
    victim.freeze();
    await sleep(between(5_000, 20_000));
    victim.thaw();
    return `${victim.name} frozen`;
  }
  await victim.kill();
  if (chance(0.5)) await sleep(between(0, 2_000));
  await victim.start();
  return `${victim.name} killed`;
}

/** One person with one run. */
const journey = (definition: JsonObject, input: JsonObject): Promise<Segment[]> =>
  travel(situation, client, { definition, input });

/** Starts a run and cancels it after a while. */
async function regret(definition: JsonObject, input: JsonObject, afterMs: number): Promise<Segment[]> {
  const runId = await client.run(definition, input);
  await sleep(afterMs);
  const { status } = await client.send('POST', `/workflows/cancel/${runId}`);
  expect(status).toBe(200);
  return [{ runId, reading: await client.read(runId) }];
}

async function deploy(definition: JsonObject): Promise<string> {
  const body = { name: 'Child', workflow_schema: definition };
  const made = await client.send('POST', '/workflows', { body });
  expect(made.status).toBe(201);
  const workflowId = String(made.body.id);
  const deployed = await client.send('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  expect(deployed.status).toBe(201);
  return workflowId;
}

async function endureFaults(rounds: number): Promise<void> {
  const dice = random();
  const { seed, between, pick } = dice;
  const { recorder, db, model } = situation;
  scriptErrands(model);
  const workflowId = await deploy(child(recorder));
  const childId = await deploy(errandChild({ recorder, random: dice }));
  const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const slow = { post1: 100, get1: 200, put1: 200, post2: 100, put2: 200, post3: 100, get3: 200, fn2: 200 };
  const shapes: ((key: string) => Promise<Segment[]>)[] = [
    (key) => journey(mixed(recorder), given(key, { delays: slow })),
    (key) => journey(asking(recorder), { key }),
    (key) => journey(mapped(recorder), { key, rows }),
    (key) => journey(looping(recorder), { key }),
    (key) => journey(calling(recorder, workflowId), { key }),
    (key) => journey(spread(recorder), { key }),
    (key) => journey(waiting(recorder), { key }),
    ...errands({ recorder, random: dice, childId }).map(
      ({ definition }) =>
        (key: string) =>
          journey(definition, { key }),
    ),
    (key) => regret(mixed(recorder), given(key, { delays: slow }), between(0, 3_000)),
    (key) => regret(calling(recorder, workflowId), { key }, between(0, 1_500)),
  ];

  const journeys: Promise<Segment[]>[] = [];
  const faults: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < RUNS_PER_ROUND; count += 1) {
      const shape = shapes[journeys.length % shapes.length] ?? pick(shapes);
      const begun = shape(randomUUID());
      begun.catch(() => undefined);
      journeys.push(begun);
    }
    await sleep(between(200, 2_500));
    const fault = await injure(dice);
    faults[fault] = (faults[fault] ?? 0) + 1;
  }

  const travelled = await Promise.all(journeys).catch(async (error: unknown) => {
    throw new Error(`seed ${seed}: ${String(error)}; still open:\n${await describeOpenRuns(situation)}`);
  });
  await settled(situation);
  const ended = travelled.flat();
  const accepted = ended.map(({ runId }) => runId);
  const found = await violations(situation, accepted);
  for (const { runId, reading } of ended) found.push(...(await misread(db, runId, reading)));
  found.push(...(await misreadLate(db, client, accepted)));
  const outcomes: Record<string, number> = {};
  for (const { reading } of ended) outcomes[reading.end.type] = (outcomes[reading.end.type] ?? 0) + 1;
  process.stdout.write(
    `campaign: ${JSON.stringify({ seed, faults, outcomes, calls: recorder.calls().length, unknowns: client.unknowns })}\n`,
  );
  expect({ seed, found }).toEqual({ seed, found: [] });
  // What failed did so because nobody can know whether its call had its effect, and says that.
  for (const { reading } of ended) {
    if (reading.end.type === 'run_failed')
      expect(reading.end).toMatchObject({ error: { code: 'outcome_unknown' } });
  }
}

describe.each(chooseServers())('on the %s server of Temporal', (name, rounds) => {
  beforeAll(async () => {
    postgres = await startCrashablePostgres();
    temporal = await (name === 'production'
      ? startProductionTemporal(postgres.url)
      : startCrashableTemporal());
    await migrate(postgres.url);
    situation = await startSituation({ databaseUrl: postgres.url, temporalAddress: temporal.address });
    client = new PatientClient(situation.service);
  });
  afterAll(async () => {
    await situation.close();
    await temporal.close();
    await postgres.close();
  });

  test(`${rounds} faults, and every promise is kept`, { timeout: 180_000 + rounds * 40_000 }, () =>
    endureFaults(rounds),
  );
});
