/**
 * What the knowledge base asks of whoever reads documents: text in pieces, counted in tokens. The work behind it runs in
 * a process of its own, because documents are a stranger's input to large parsers.
 */
export type DocumentType = 'text' | 'markdown' | 'html' | 'pdf' | 'docx';

/** A piece of a document: its text, what it costs in tokens, its place, and the nearest heading above it. */
export interface ExtractedChunk {
  readonly text: string;
  readonly tokens: number;
  readonly position: number;
  readonly heading?: string;
}

/** A document read: what it was taken for, how long its text is, and its pieces in order. */
export interface Extraction {
  readonly type: DocumentType;
  readonly characters: number;
  readonly tokens: number;
  readonly chunks: readonly ExtractedChunk[];
}

/** How a text is cut: the most tokens of a piece, and how many of them it shares with the piece before. */
export interface ChunkingConfig {
  readonly chunkSize: number;
  readonly chunkOverlap: number;
}

/** Reads documents. */
export interface Extractor {
  /** Takes a document whole and answers its text in pieces. @throws ExtractionFailed when it never will */
  extract(
    document: {
      readonly bytes: Uint8Array;
      readonly fileName: string;
      readonly chunking: ChunkingConfig;
    },
    signal: AbortSignal,
  ): Promise<Extraction>;
  /** What a document is by its content, and by its name where content cannot tell; undefined for what is not read. */
  sniff(bytes: Uint8Array, fileName: string): DocumentType | undefined;
  /** Ends the processes behind it. */
  close(): Promise<void>;
}

/** A document that will not be read, today or tomorrow: its message is meant for whoever uploaded it. */
export class ExtractionFailed extends Error {
  override readonly name = 'ExtractionFailed';
  readonly code: string;

  /** Takes what programs compare and what people read. */
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
