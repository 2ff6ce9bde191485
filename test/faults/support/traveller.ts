/** One person with one run: starts it, listens to it, answers its question, and has all that was read. */
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { eventually } from '../../support/waiting.ts';
import type { PatientClient, Reading } from './client.ts';
import type { Situation } from './situation.ts';

/** A segment of a run, as it was read. */
export interface Segment {
  readonly runId: string;
  readonly reading: Reading;
}

/** The run that an answer began, when the reply to the answer itself was lost. */
async function successorOf({ db }: Pick<Situation, 'db'>, runId: string): Promise<string> {
  return eventually(`what comes of the answer to ${runId}`, 60_000, async () => {
    const rows = await db
      .query<{ run_id: string }>(
        `SELECT s.run_id FROM runs s JOIN runs r ON r.id = s.resumed_from_run_pk WHERE r.run_id = $1`,
        [runId],
      )
      .catch(() => []);
    return rows[0]?.run_id;
  });
}

/** Starts a run and sees it to its end. @returns its segments */
export async function travel(
  situation: Pick<Situation, 'db'>,
  client: PatientClient,
  { definition, input }: { readonly definition: JsonObject; readonly input: JsonObject },
): Promise<Segment[]> {
  const runId = await client.run(definition, input);
  const reading = await client.read(runId);
  if (reading.end.type !== 'run_interrupted') return [{ runId, reading }];
  const next = (await client.answer(reading.end)) ?? (await successorOf(situation, runId));
  return [
    { runId, reading },
    { runId: next, reading: await client.read(next) },
  ];
}
