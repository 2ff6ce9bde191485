/** The end of an extraction process: its one answer. */
import { ExtractionFailed } from '../extraction-port.ts';
import type { Answer } from './messages.ts';
import { isAllocation, outOfMemory } from './refusals.ts';

function toAnswer(error: unknown): Answer<never> {
  const failure = isAllocation(error) ? outOfMemory() : error;
  if (!(failure instanceof ExtractionFailed)) throw failure;
  return { ok: false, code: failure.code, message: failure.message };
}

/** Does the work of the process, answers and exits; a process whose worker died exits, too. */
export async function answer<Value>(work: () => Promise<Value>): Promise<void> {
  process.on('disconnect', () => process.exit(0));
  const message: Answer<Value> = await work().then((value) => ({ ok: true, value }), toAnswer);
  process.send?.(message, () => process.exit(0));
}
