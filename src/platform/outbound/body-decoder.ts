/** The base of the decoders of bodies: drives the engines of `node:zlib`, and fails with NodeErrors. */
import { Transform } from 'node:stream';
import type { BrotliDecompress, Inflate } from 'node:zlib';
import { NodeError } from '../../language/nodes/kind.ts';

/** A decoder of one compressed stream. */
export type Engine = Inflate | BrotliDecompress;

/** Not retryable: the same response would come again. */
export const notDecodable = (message: string, cause?: unknown): NodeError =>
  new NodeError('response_not_decodable', message, { cause });

/** Retryable: half a response would otherwise pass as complete. */
export const endMissing = (cause?: unknown): NodeError =>
  new NodeError('network_error', 'The response ended before it was complete', { retryable: true, cause });

/** Decodes one encoding. Its stream fails with NodeError `response_not_decodable`, or `network_error` when its end is missing. */
export abstract class BodyDecoder extends Transform {
  readonly #name: string;
  #engine: Engine | null = null;
  #given = 0;

  /** @param name the encoding, for messages */
  constructor(name: string) {
    super();
    this.#name = name;
  }

  /** Begins a compressed stream. @param take gets what is decoded, before it is passed on */
  protected begin(engine: Engine, take: (decoded: Buffer) => void = () => undefined): void {
    this.#engine = engine;
    this.#given = 0;
    // A few bytes may unpack to millions, so the engine pauses until they are read.
    engine.on('data', (decoded: Buffer) => {
      take(decoded);
      if (!this.push(decoded)) engine.pause();
    });
    engine.on('error', (error) => this.destroy(error));
  }

  /**
   * Decodes a chunk of the stream.
   * @param done gets the bytes of the chunk that lie behind the end of the stream, which is over then; null: it may go on. It is not
   *   called after a failure
   */
  protected decode(chunk: Buffer, done: (behind: Buffer | null) => void): void {
    const engine = this.#engine;
    this.#given += chunk.byteLength;
    engine?.write(chunk, (error) => {
      if (error instanceof Error) return;
      const unused = this.#given - engine.bytesWritten;
      if (unused === 0) return done(null);
      this.#whenEnded(engine, () => {
        this.#engine = null;
        engine.destroy();
        done(chunk.subarray(chunk.byteLength - unused));
      });
    });
  }

  /** Ends the stream, if one has begun, at the end of the body. A missing end is a failure. */
  protected endStream(done: () => void): void {
    if (this.#engine === null) return done();
    this.#whenEnded(this.#engine, done);
    this.#engine.end();
  }

  override _read(size: number): void {
    this.#engine?.resume();
    super._read(size);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#engine?.destroy();
    done(error === null ? null : this.#toFailure(error));
  }

  /** An engine ends by itself when bytes follow its stream: its `end` may have been emitted. */
  #whenEnded(engine: Engine, then: () => void): void {
    if (engine.readableEnded) then();
    else engine.once('end', then);
  }

  #toFailure(error: NodeJS.ErrnoException): NodeError {
    if (error instanceof NodeError) return error;
    if (error.code === 'Z_BUF_ERROR') return endMissing(error);
    return notDecodable(
      `The body of the response cannot be decoded with its Content-Encoding ${this.#name}`,
      error,
    );
  }
}
