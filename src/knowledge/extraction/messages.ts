/** What the supervisor and an extraction process say to each other. The document itself goes over standard input. */
import type { ChunkingConfig, DocumentType, Extraction } from '../extraction-port.ts';

/** The one argument of the process, as JSON. */
export interface Task {
  readonly type: DocumentType;
  readonly chunking: ChunkingConfig;
}

/** The one message of the process. */
export type Answer =
  | { readonly ok: true; readonly extraction: Extraction }
  | { readonly ok: false; readonly code: string; readonly message: string };
