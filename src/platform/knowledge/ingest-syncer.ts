/**
 * Starts ingests in Temporal and compares silent ones with it, so that every document reaches an end (SPEC RUN-4.7).
 */
import type { DocumentRef, IngestEngine } from './ingest-engine.ts';
import type { Db } from '../../base/db/client.ts';
import type { OutboxHandler, OutboxEntry } from '../outbox/outbox.ts';
import { failDocument } from './ingest.ts';
import { addIngest, findOpen, findSilentDocuments } from './open-documents.ts';
import type { Logger } from '../../base/log.ts';

const BATCH = 32;
/** Longer than any running activity of an ingest is silent; a queued one may be silent for longer. */
const QUIET_SECONDS = 60;

/** The error of a document whose execution ended without a result, by Temporal's status. */
const LOST: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  COMPLETED: {
    code: 'ingest_lost',
    message: 'Indexing ended without a result. Upload the document again',
  },
  FAILED: { code: 'ingest_lost', message: 'Indexing ended without a result. Upload the document again' },
  TERMINATED: { code: 'terminated', message: 'Indexing was terminated by an operator' },
  TIMED_OUT: { code: 'ingest_timeout', message: 'Indexing timed out' },
  CANCELLED: { code: 'cancelled', message: 'Indexing was cancelled by an operator' },
};

interface IngestSyncerDeps {
  readonly db: Db;
  readonly engine: IngestEngine;
  readonly log: Logger;
}

export class IngestSyncer implements OutboxHandler {
  readonly #deps: IngestSyncerDeps;
  // Each check continues after the previous batch, so that many queued ingests do not hide a lost one.
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
    const error = { code: 'start_refused', message: 'Indexing could not be started' };
    if (document !== null) await failDocument(this.#deps.db, document, error);
  }

  #find({ organizationId, subjectId }: OutboxEntry): Promise<DocumentRef | null> {
    return findOpen(this.#deps.db, { organizationId, documentId: subjectId });
  }

  /**
   * Compares a batch of silent ingests with Temporal: restarts missing ones and records ended ones.
   * @returns how many differed from their row
   */
  async check(quietSeconds = QUIET_SECONDS): Promise<number> {
    const { db, engine, log } = this.#deps;
    const quiet = await findSilentDocuments(db, { quietSeconds, after: this.#checkedUntil, limit: BATCH });
    this.#checkedUntil = quiet.length === BATCH ? (quiet.at(-1)?.documentId ?? null) : null;
    let wrong = 0;
    await Promise.all(
      quiet.map(async (document) => {
        try {
          const state = await engine.readState(document);
          const lost = LOST[state];
          if (state === 'NOT_FOUND') await addIngest(db, document);
          else if (lost !== undefined) await failDocument(db, document, lost);
          else return;
          wrong += 1;
          log.warn({ document_id: document.documentId, state }, 'ingest lost');
        } catch (error) {
          log.debug(
            { err: error, document_id: document.documentId },
            'could not compare an ingest with Temporal',
          );
        }
      }),
    );
    return wrong;
  }
}
