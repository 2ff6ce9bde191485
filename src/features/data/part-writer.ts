/** Writes the rows of an export as JSON Lines in pieces, each compressed by itself: their concatenation is one gzip file. */
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { Sql } from '../../base/db/client.ts';
import { insertPart, type DataJob } from './jobs.ts';

/** Characters of a piece before its compression: it is in memory. */
const PIECE_CHARACTERS = 4 * 1024 * 1024;

export class PartWriter {
  readonly #sql: Sql;
  readonly #jobId: string;
  #lines: string[] = [];
  #characters = 0;
  parts: number;
  /** Bytes of the lines, before their compression. */
  bytes: number;

  /** Continues the file of a job. @param sql the transaction of the step */
  constructor(sql: Sql, { id, parts, bytes }: DataJob) {
    this.#sql = sql;
    this.#jobId = id;
    this.parts = parts;
    this.bytes = bytes;
  }

  /** @param row the row as JSON text */
  async write(table: string, row: string): Promise<void> {
    const line = `{"table":${JSON.stringify(table)},"row":${row}}\n`;
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters > PIECE_CHARACTERS) await this.flush();
  }

  /** Stores what was written. */
  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    const content = await promisify(gzip)(text);
    this.#lines = [];
    this.#characters = 0;
    await insertPart(this.#sql, this.#jobId, this.parts, content);
    this.parts += 1;
    this.bytes += Buffer.byteLength(text);
  }
}
