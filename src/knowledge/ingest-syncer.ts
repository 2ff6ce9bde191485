/**
 * Has Temporal ingest what was uploaded: at once when kicked, every second otherwise; and looks after ingests that have
 * gone quiet, so that every document ends. Runs everywhere; the database shares out the work.
 */
import type { DocumentRef, IngestEngine } from './ingest-engine.ts';
import { TemporalRejected } from '../errors.ts';
import type { Db } from '../db/client.ts';
import { failDocument } from './ingest.ts';
import { addStart, claimStarts, quietDocuments, removeStart, retryStart } from './open-documents.ts';
import type { Logger } from '../log.ts';
import { PollLoop } from '../db/poll-loop.ts';

const POLL_MS = 1_000;
const BATCH = 32;
const ROUNDS_PER_CHECK = 15;
/** Longer than any activity of an ingest leaves no trace, but for those that wait their turn. */
const QUIET_SECONDS = 60;

/** What an execution that is over means for a document that is not. */
const LOST: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  COMPLETED: { code: 'ingest_lost', message: 'The ingest ended without a result; upload the document again' },
  FAILED: { code: 'ingest_lost', message: 'The ingest ended without a result; upload the document again' },
  TERMINATED: { code: 'terminated', message: 'The ingest was terminated by an operator' },
  TIMED_OUT: { code: 'ingest_timeout', message: 'The ingest took too long' },
  CANCELLED: { code: 'cancelled', message: 'The ingest was cancelled by an operator' },
};

export interface IngestSyncerDeps {
  readonly db: Db;
  readonly engine: IngestEngine;
  readonly log: Logger;
}

export class IngestSyncer {
  readonly #deps: IngestSyncerDeps;
  readonly #loop: PollLoop;
  // Each check goes on where the one before ended: many that wait must not hide one that is lost.
  #checkedUntil: string | null = null;

  constructor(deps: IngestSyncerDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: POLL_MS,
      round: (count) => this.#round(count),
      failed: (error) => deps.log.warn({ err: error }, 'documents could not be read'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Says that a document has been accepted. Returns at once. */
  kick(): void {
    this.#loop.kick();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(count: number): Promise<void> {
    while ((await this.deliver()) === BATCH && !this.#loop.isStopped);
    if ((count + 1) % ROUNDS_PER_CHECK === 0) await this.check(QUIET_SECONDS);
  }

  /** Starts one batch of what is due. @returns how many documents that were */
  async deliver(): Promise<number> {
    const due = await claimStarts(this.#deps.db, BATCH);
    await Promise.all(due.map((document) => this.#startOne(document)));
    return due.length;
  }

  async #startOne(document: DocumentRef): Promise<void> {
    const { db, engine, log } = this.#deps;
    const fields = { document_id: document.documentId, attempt: document.attempt };
    try {
      await engine.start(document);
      await removeStart(db, document);
    } catch (error) {
      log.warn({ err: error, ...fields }, 'Temporal could not be told of a document');
      const answer =
        error instanceof TemporalRejected
          ? failDocument(db, document, { code: 'start_refused', message: 'The ingest could not be started' })
          : retryStart(db, document);
      // When this fails too, the claim runs out after 10 s; the document is tried again then.
      await Promise.resolve(answer).catch(() => undefined);
    }
  }

  /**
   * Compares a batch of quiet documents with Temporal: what is gone is started again, what is over is written down.
   * @returns how many were not what their row says
   */
  async check(quietSeconds: number): Promise<number> {
    const { db, engine, log } = this.#deps;
    const quiet = await quietDocuments(db, { quietSeconds, after: this.#checkedUntil, limit: BATCH });
    this.#checkedUntil = quiet.length === BATCH ? (quiet.at(-1)?.documentId ?? null) : null;
    let wrong = 0;
    await Promise.all(
      quiet.map(async (document) => {
        try {
          const state = await engine.stateOf(document);
          const lost = LOST[state];
          if (state === 'NOT_FOUND') await addStart(db, document);
          else if (lost !== undefined) await failDocument(db, document, lost);
          else return;
          wrong += 1;
          log.warn({ document_id: document.documentId, state }, 'an ingest was lost');
        } catch (error) {
          log.debug({ err: error, document_id: document.documentId }, 'an ingest could not be compared');
        }
      }),
    );
    return wrong;
  }
}
