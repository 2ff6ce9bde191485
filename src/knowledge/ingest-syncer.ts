/**
 * Has Temporal ingest what was uploaded, and looks after ingests that have gone quiet, so that every document ends
 * (SPEC RUN-4.7).
 */
import type { DocumentRef, IngestEngine } from './ingest-engine.ts';
import type { Db } from '../db/client.ts';
import type { OutboxHandler, OutboxEntry } from '../outbox/outbox.ts';
import { failDocument } from './ingest.ts';
import { addIngest, findOpen, quietDocuments } from './open-documents.ts';
import type { Logger } from '../log.ts';

const BATCH = 32;
/** Longer than any activity of an ingest leaves no trace, but for those that wait their turn. */
const QUIET_SECONDS = 60;

/** How a document ends whose execution is over without it. */
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

export class IngestSyncer implements OutboxHandler {
  readonly #deps: IngestSyncerDeps;
  // Each check goes on where the one before ended: many that wait must not hide one that is lost.
  #checkedUntil: string | null = null;

  constructor(deps: IngestSyncerDeps) {
    this.#deps = deps;
  }

  async deliver(entry: OutboxEntry): Promise<void> {
    const document = await this.#find(entry);
    if (document !== null) await this.#deps.engine.start(document);
  }

  async reject(entry: OutboxEntry): Promise<void> {
    const document = await this.#find(entry);
    const error = { code: 'start_refused', message: 'The ingest could not be started' };
    if (document !== null) await failDocument(this.#deps.db, document, error);
  }

  #find({ organizationId, subjectId }: OutboxEntry): Promise<DocumentRef | null> {
    return findOpen(this.#deps.db, { organizationId, documentId: subjectId });
  }

  /**
   * Compares a batch of quiet documents with Temporal: what is gone is started again, what is over is written down.
   * @returns how many were not what their row says
   */
  async check(quietSeconds = QUIET_SECONDS): Promise<number> {
    const { db, engine, log } = this.#deps;
    const quiet = await quietDocuments(db, { quietSeconds, after: this.#checkedUntil, limit: BATCH });
    this.#checkedUntil = quiet.length === BATCH ? (quiet.at(-1)?.documentId ?? null) : null;
    let wrong = 0;
    await Promise.all(
      quiet.map(async (document) => {
        try {
          const state = await engine.stateOf(document);
          const lost = LOST[state];
          if (state === 'NOT_FOUND') await addIngest(db, document);
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
