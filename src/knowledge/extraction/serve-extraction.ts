/**
 * Entry of an extraction process: reads one document, answers, and ends. It has no secrets in its environment and no
 * network, and whatever a document did to it ends with it.
 */
import { buffer } from 'node:stream/consumers';
import { ExtractionFailed } from '../extraction-port.ts';
import type { Answer, Task } from './messages.ts';
import { readDocument } from './read-document.ts';
import { isAllocation, outOfMemory } from './refusals.ts';

process.on('disconnect', () => process.exit(0));

function refusal(error: unknown): Answer {
  const failure = isAllocation(error) ? outOfMemory() : error;
  if (!(failure instanceof ExtractionFailed)) throw failure;
  return { ok: false, code: failure.code, message: failure.message };
}

const { type, chunking } = JSON.parse(process.argv[2] ?? '') as Task;
const answer: Answer = await readDocument(await buffer(process.stdin), type, chunking).then(
  (extraction) => ({ ok: true, extraction }),
  refusal,
);
process.send?.(answer, () => process.exit(0));
