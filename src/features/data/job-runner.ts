/** Runs data jobs: the outbox handler of their entries. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { recordAction } from '../../platform/audit/audit-log.ts';
import type { Clock } from '../../base/clock.ts';
import type { Db, Sql } from '../../base/db/client.ts';
import type { OutboxHandler } from '../../platform/outbox/outbox.ts';
import {
  cancelJob,
  completeJob,
  continueJob,
  lockJob,
  readParts,
  saveProgress,
  type DataJob,
} from './jobs.ts';
import { PartWriter } from './part-writer.ts';
import { mayContinue } from './rights.ts';
import { listStages } from './stages.ts';

/** Less than the claim of an outbox entry (10 s), with room for a long step. */
const DELIVERY_MS = 4_000;

interface RunnerDeps {
  readonly db: Pick<Db, 'transaction' | 'query'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Creates the handler: takes steps of a job for some seconds, and adds an entry for the rest. */
export function dataJobHandler({ db, clock }: RunnerDeps): OutboxHandler {
  return {
    async deliver({ subjectId: jobId, organizationId }) {
      const beganMs = clock.monotonic();
      while (await takeStep(db, jobId)) {
        if (clock.monotonic() - beganMs < DELIVERY_MS) continue;
        await continueJob(db, { id: jobId, organization_id: organizationId });
        return;
      }
    },
  };
}

/** Takes one step of a job, in one transaction. @returns whether another is needed */
export async function takeStep(db: Pick<Db, 'transaction'>, jobId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (job === null) return false;
    if (!(await mayContinue(tx, job))) {
      await cancelJob(tx, job);
      const object = { type: 'data_job', id: job.id, name: null };
      await recordAction(tx, { organizationId: job.organization_id, action: 'data_job.cancelled', object });
      return false;
    }
    const stage = listStages(job)[job.stage];
    if (stage === undefined) {
      await completeJob(tx, job, job.kind === 'export' ? await proveFile(tx, job) : null);
      return false;
    }
    const writer = new PartWriter(tx, job);
    const { cursor, counts } = await stage.step(tx, job, writer);
    await writer.flush();
    await saveProgress(tx, {
      id: job.id,
      stage: cursor === null ? job.stage + 1 : job.stage,
      cursor,
      counts: addCounts(job, counts),
      parts: writer.parts,
      bytes: writer.bytes,
    });
    return true;
  });
}

/** Measures the JSON Lines of an export, which are what is handed out. */
async function proveFile(
  tx: Sql,
  job: DataJob,
): Promise<{ readonly bytes: number; readonly digest: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(Readable.from(readParts(tx, job)), createGunzip(), async (lines: AsyncIterable<Buffer>) => {
    for await (const piece of lines) {
      hash.update(piece);
      bytes += piece.length;
    }
  });
  return { bytes, digest: hash.digest('hex') };
}

function addCounts({ counts }: DataJob, more: DataJob['counts']): DataJob['counts'] {
  const sums: Record<string, number> = { ...counts };
  for (const [table, count] of Object.entries(more)) if (count > 0) sums[table] = (sums[table] ?? 0) + count;
  return sums;
}
