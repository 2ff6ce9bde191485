/** Extracts each document in a process of its own (processes.ts). No document is parsed in the worker. */
import type { Extraction, Extractor } from '../extraction-port.ts';
import type { Logger } from '../../../base/log.ts';
import type { Task } from './messages.ts';
import { Processes } from './processes.ts';
import { explainRefusal, sniff } from './sniff.ts';

/** SPEC SEC-K12. */
export const TIMEOUT_MS = 60_000;

interface DocumentExtractor extends Extractor {
  /** Running processes. */
  readonly pids: readonly number[];
}

/**
 * Creates the extractor. Processes start on demand, at most two at a time.
 * @param timeoutMs limit of one document; default: 60 s
 * @returns the port; `extract` throws ExtractionFailed for an unreadable document, the signal's reason, or an ordinary Error
 *   when the process was killed twice, which is not the document's fault
 */
export function createExtractor(
  log: Logger,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): DocumentExtractor {
  const processes = new Processes<Task, Extraction>({
    log,
    from: import.meta.url,
    program: 'serve-extraction',
    timeoutMs,
  });
  return {
    get pids() {
      return processes.pids;
    },
    sniff,
    async extract({ organizationId, bytes, fileName, chunking }, signal) {
      const type = sniff(bytes, fileName);
      if (type === undefined) throw explainRefusal(bytes);
      return processes.run({ organizationId, task: { type, chunking }, bytes, signal });
    },
    close: () => processes.close(),
  };
}
