/** Messages between the worker and an extraction process; the document itself is sent over stdin. */
import type { ChunkingConfig, DocumentType } from '../extraction-port.ts';

/** The only argument of the process, as JSON. */
export interface Task {
  readonly type: DocumentType;
  readonly chunking: ChunkingConfig;
}

/** The only message of the process. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: string; readonly message: string };
