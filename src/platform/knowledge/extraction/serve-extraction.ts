/**
 * Entry of an extraction process: reads one document, answers and exits. It has no secrets and no network, and any damage by
 * a document ends with the process.
 */
import { buffer } from 'node:stream/consumers';
import { ExtractionFailed } from '../extraction-port.ts';
import type { Answer, Task } from './messages.ts';
import { readDocument } from './read-document.ts';
import { isAllocation, outOfMemory } from './refusals.ts';

process.on('disconnect', () => process.exit(0));

function toAnswer(error: unknown): Answer {
  const failure = isAllocation(error) ? outOfMemory() : error;
  if (!(failure instanceof ExtractionFailed)) throw failure;
  return { ok: false, code: failure.code, message: failure.message };
}

const { type, chunking } = JSON.parse(process.argv[2] ?? '') as Task;
const answer: Answer = await readDocument(await buffer(process.stdin), type, chunking).then(
  (extraction) => ({ ok: true, extraction }),
  toAnswer,
);
process.send?.(answer, () => process.exit(0));
