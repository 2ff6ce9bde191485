/** Logs: one JSON line each, from an allow-list of fields; secrets in texts are struck out. */
import pino from 'pino';

export type Logger = pino.Logger;

const KEY = /svc_live_[0-9A-Za-z]+/g;
const BEARER = /Bearer\s+[^\s"',}]+/gi;

/** Strikes API keys and bearer tokens out of a text. */
export function scrub(text: string): string {
  return text.replace(KEY, 'svc_live_***').replace(BEARER, 'Bearer ***');
}

/** Lines are written together: when there are so many bytes of them, and this often. */
const BLOCK_BYTES = 4_096;
const FLUSH_MS = 100;

/** A process that is killed loses the lines of its last moment; one that ends in any other way, none. */
const standardOutput = pino.destination({
  dest: 1,
  sync: true,
  minLength: BLOCK_BYTES,
  periodicFlush: FLUSH_MS,
});
process.once('exit', () => standardOutput.flushSync());

/** Name, message and stack only: extra properties of errors may hold whole prompts (AI SDK) or rows (pg). */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const cause = error.cause instanceof Error ? { cause: scrub(error.cause.message) } : {};
  return { name: error.name, message: scrub(error.message), stack: scrub(error.stack ?? ''), ...cause };
}

/**
 * @param level a pino level
 * @param service names the process in each line
 * @param destination where lines go, standard output by default
 */
export function createLog(
  level: string,
  service: string,
  destination: pino.DestinationStream = standardOutput,
): Logger {
  return pino(
    {
      level,
      base: { service },
      serializers: { err: errorFields },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
}
