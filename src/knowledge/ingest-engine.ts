/** Ingests as Temporal runs them: a port. The client behind it is in temporal/client/ingests.ts. */

/** One attempt to take a document in. Ids alone: bytes and texts stay in PostgreSQL. */
export interface DocumentRef {
  readonly organizationId: string;
  readonly documentId: string;
  /** From 1; another after each failed one that is tried again. */
  readonly attempt: number;
}

/** Ingests of documents. Every call has a deadline. */
export interface IngestEngine {
  /** @throws when the outcome is unknown or refused; `TemporalRejected` when trying again cannot help */
  start(document: DocumentRef): Promise<'started' | 'already_started'>;
  /** Temporal's word for the state of the execution, or NOT_FOUND. */
  stateOf(document: DocumentRef): Promise<string>;
}
