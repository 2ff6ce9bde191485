/**
 * The port to document extraction: text in chunks, counted in tokens. Extraction runs in a separate process, because
 * documents are untrusted input to large parsers.
 */
export type DocumentType = 'text' | 'csv' | 'markdown' | 'html' | 'pdf' | 'docx';

/** A chunk of a document with its token count, position and the nearest heading above it. */
export interface ExtractedChunk {
  readonly text: string;
  readonly tokens: number;
  readonly position: number;
  readonly heading?: string;
}

/** The result of an extraction, with the chunks in order. */
export interface Extraction {
  readonly type: DocumentType;
  readonly characters: number;
  readonly tokens: number;
  readonly chunks: readonly ExtractedChunk[];
}

/** Maximum tokens of a chunk, and how many of them it shares with the previous one. */
export interface ChunkingConfig {
  readonly chunkSize: number;
  readonly chunkOverlap: number;
}

export interface Extractor {
  /** Extracts the chunks of a document. @throws ExtractionFailed when no retry can succeed */
  extract(
    document: {
      /** Documents of different organizations are extracted in turns, so that a large upload delays nobody else. */
      readonly organizationId: string;
      readonly bytes: Uint8Array;
      readonly fileName: string;
      readonly chunking: ChunkingConfig;
    },
    signal: AbortSignal,
  ): Promise<Extraction>;
  /** Detects the type by content, or by name where the content is ambiguous; undefined when unsupported. */
  sniff(bytes: Uint8Array, fileName: string): DocumentType | undefined;
  /** Ends the extraction processes. */
  close(): Promise<void>;
}

/** The document cannot be read, now or later; the message is for the person who uploaded it. */
export class ExtractionFailed extends Error {
  override readonly name = 'ExtractionFailed';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
