/** Splits CSV into chunks of whole records, each below the header: a row without the names of its columns says nothing to a search. */
import type { ChunkingConfig, ExtractedChunk } from '../extraction-port.ts';
import { splitChunks } from './chunks.ts';
import { countTokens } from './tokens.ts';

/** Splits a text into records: a line break inside of quotes belongs to its field (RFC 4180, 2.6). */
function splitRecords(text: string): string[] {
  const records: string[] = [];
  let record = '';
  let isQuoted = false;
  for (const line of text.split('\n')) {
    record = record === '' ? line : `${record}\n${line}`;
    if ((line.split('"').length - 1) % 2 === 1) isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (record.trim() !== '') records.push(record);
    record = '';
  }
  return record.trim() === '' ? records : [...records, record];
}

/** Splits a record that is larger than a chunk; each part gets the header, too. */
const splitRecord = (record: string, chunkSize: number): string[] =>
  splitChunks({ text: record, headings: [] }, { chunkSize, chunkOverlap: 0 }).map(({ text }) => text);

/**
 * Splits clean CSV. Records are not repeated, so the overlap has no meaning here. A header that takes more than half a chunk is
 * not repeated, and the text is split like any other.
 */
export function splitCsv(text: string, chunking: ChunkingConfig): ExtractedChunk[] {
  const { chunkSize: size } = chunking;
  const [header = '', ...records] = splitRecords(text);
  const room = size - countTokens(`${header}\n`);
  if (records.length === 0 || room < size / 2) return splitChunks({ text, headings: [] }, chunking);
  const chunks: ExtractedChunk[] = [];
  let open: string[] = [];
  const write = (parts: readonly string[]): string => [header, ...parts].join('\n');
  const close = (): void => {
    if (open.length === 0) return;
    const piece = write(open);
    chunks.push({ text: piece, tokens: countTokens(piece), position: chunks.length });
    open = [];
  };
  let cost = 0;
  for (const record of records) {
    const own = countTokens(`${record}\n`);
    const parts = own > room ? splitRecord(record, Math.floor(room / 2)) : [record];
    for (const part of parts) {
      const next = parts.length === 1 ? own : countTokens(`${part}\n`);
      if (cost + next > room) {
        close();
        cost = 0;
      }
      open.push(part);
      cost += next;
    }
  }
  close();
  return chunks;
}
