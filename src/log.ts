/**
 * Logs: one JSON line each, from an allow-list of fields; secrets in texts are struck out, and texts that tenants' code, models
 * and called servers have written are left out: Temporal has them encrypted, and the run's own record has them in words.
 */
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

/**
 * Errors whose messages others have written, by name: tenants' code, the servers that it calls, models, documents. A parser's
 * error quotes what it has read, as a range's does.
 */
const WITH_TEXTS_OF_OTHERS =
  /^(?:NodeError|\w+Failure|AI_\w+|McpError|SdkError|ProtocolError|ExtractionFailed|SyntaxError|RangeError|URIError|\$?ZodError)$/;
/** SQLSTATE class 22, data exceptions: PostgreSQL quotes the value. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const MAX_CODE = 64;
/** As many as Node writes of one error. */
const MAX_FRAMES = 10;

/** The `code` of an error, or the `type` that Temporal's failures have in its place: words of programs, never sentences. */
function readCode(error: Error): string | number | null {
  const { code, type } = error as { readonly code?: unknown; readonly type?: unknown };
  const given = code ?? type;
  if (typeof given === 'number') return given;
  return typeof given === 'string' && given.length <= MAX_CODE && /^[\w.-]+$/.test(given) ? given : null;
}

/** Errors of PostgreSQL have a severity beside their SQLSTATE. */
const isOfDatabase = (error: Error, code: string | number | null): boolean =>
  'severity' in error && typeof code === 'string' && SQLSTATE.test(code);

/** The places in a stack, without the message that stands before them. */
function extractFrames({ stack = '', message }: Error): string {
  const end = `${message}\n    at `;
  const at = stack.indexOf(end);
  return at < 0 ? '' : stack.slice(at + message.length + 1);
}

/**
 * An error in the log: name, code and stack; extra properties may hold whole prompts (AI SDK) or rows (pg).
 * @param ofWork whether it comes from work that is done for tenants: then only PostgreSQL is quoted (SPEC SEC-Z11)
 */
function errorFields(error: unknown, ofWork: boolean): object {
  if (!(error instanceof Error)) return ofWork ? { name: typeof error } : { message: scrub(String(error)) };
  const { name, message } = error;
  const code = readCode(error);
  const isQuoted = isQuotable(error, ofWork);
  const cause =
    error.cause instanceof Error ? { cause: describeCause(error.cause, ofWork || !isQuoted) } : {};
  const facts = { name, ...(code === null ? {} : { code }) };
  return isQuoted
    ? { ...facts, message: scrub(message), stack: scrub(error.stack ?? ''), ...cause }
    : { ...facts, stack: extractFrames(error), ...cause };
}

function isQuotable(error: Error, ofWork: boolean): boolean {
  const code = readCode(error);
  if (isOfDatabase(error, code)) return !DATA_EXCEPTION.test(String(code));
  return !ofWork && !WITH_TEXTS_OF_OTHERS.test(error.name);
}

const describeCause = (error: Error, ofWork: boolean): string =>
  isQuotable(error, ofWork) ? scrub(error.message) : error.name;

/** A place in code, as stacks name it. */
const FRAME = /^ {4}at (?:[\w.<>$ []*\]? ?\()?(?:node:|file:\/\/)[\w/.%@-]+:\d+:\d+\)?$/;
const NAME_OF_ERROR = /\b([A-Z]\w*Error)\b/;

/** The last words of a process that reads what tenants gave: the name of its error and the places, never the message. */
function crashFields(text: unknown): object {
  const lines = String(text).split('\n');
  const name = lines.map((line) => NAME_OF_ERROR.exec(line)?.[1]).find((found) => found !== undefined);
  return {
    name: name ?? null,
    lines: lines.length,
    stack: lines
      .filter((line) => FRAME.test(line))
      .slice(0, MAX_FRAMES)
      .join('\n'),
  };
}

/**
 * Makes a log. Errors are given to it as `err`; as `thrown` those of work that is done for tenants; as `crash` what a process
 * that does such work has written to its standard error.
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
      serializers: {
        err: (error: unknown) => errorFields(error, false),
        thrown: (error: unknown) => errorFields(error, true),
        crash: crashFields,
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
}
