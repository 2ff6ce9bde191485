/** The port by which transformers parse: each source in a process of its own, as documents are. */
import { parseUntrustedJson } from '../../../language/graph/values/storable.ts';
import { toAbortError } from '../../../language/nodes/failure.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import type { ParserPort } from '../../../language/nodes/tools.ts';
import type { ParseTask } from '../../../language/nodes/transformer/parse-config.ts';
import type { Logger } from '../../../base/log.ts';
import { ExtractionFailed } from '../extraction-port.ts';
import { Processes } from '../extraction/processes.ts';

const TIMEOUT_MS = 20_000;

interface Parser {
  /** @param pauseTimeout pauses the timeout of the node while the source waits for its turn */
  parse(
    job: Parameters<ParserPort['parse']>[0],
    pauseTimeout?: () => () => void,
  ): ReturnType<ParserPort['parse']>;
  close(): Promise<void>;
}

function toNodeError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return toAbortError(signal);
  if (error instanceof ExtractionFailed) return new NodeError(error.code, error.message);
  return new NodeError('parser_lost', 'The parsing process ended', { retryable: true, cause: error });
}

/** Creates the parser. Processes start on demand, at most two at a time. @param timeoutMs limit of one source; default: 20 s */
export function createParser(
  log: Logger,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Parser {
  const processes = new Processes<ParseTask, string>({
    log,
    from: import.meta.url,
    program: 'serve-parsing',
    timeoutMs,
  });
  return {
    async parse({ organizationId, bytes, task, signal }, pauseTimeout) {
      const resume = pauseTimeout?.();
      try {
        const onTurn = (): void => resume?.();
        return parseUntrustedJson(await processes.run({ organizationId, task, bytes, signal, onTurn }));
      } catch (error) {
        throw toNodeError(error, signal);
      }
    },
    close: () => processes.close(),
  };
}
