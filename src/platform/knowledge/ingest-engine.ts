/** The port to ingests in Temporal; temporal/client/ingests.ts implements it. */

/** One attempt to ingest a document. Only ids: bytes and texts stay in PostgreSQL. */
export interface DocumentRef {
  readonly organizationId: string;
  readonly documentId: string;
  /** From 1; each retry of a failed ingest increments it. */
  readonly attempt: number;
}

/** Every call has a deadline. */
export interface IngestEngine {
  /** @throws when the outcome is unknown; `TemporalRejected` when a retry cannot succeed */
  start(document: DocumentRef): Promise<'started' | 'already_started'>;
  /** Returns Temporal's status of the execution, or NOT_FOUND. */
  readState(document: DocumentRef): Promise<string>;
}
