/**
 * The log: one JSON object per line, from an allow-list of fields. Secrets are redacted, and texts by tenants' code, models
 * and called servers are left out; they are in Temporal (encrypted) and in the run's record.
 */
import pino from 'pino';
import { scrub } from './scrub.ts';

export type Logger = pino.Logger;

/** Buffered lines are written at this size and in this interval. */
const BLOCK_BYTES = 4_096;
const FLUSH_MS = 100;

/** Only SIGKILL loses buffered lines; any other exit flushes them. */
const standardOutput = pino.destination({
  dest: 1,
  sync: true,
  minLength: BLOCK_BYTES,
  periodicFlush: FLUSH_MS,
});
process.once('exit', () => standardOutput.flushSync());

/**
 * Names of errors whose messages come from tenants' code, called servers, models or documents. Parser and range errors quote
 * their input.
 */
const FOREIGN_MESSAGES =
  /^(?:NodeError|\w+Failure|AI_\w+|McpError|SdkError|ProtocolError|ExtractionFailed|SyntaxError|RangeError|URIError|\$?ZodError)$/;
/** SQLSTATE class 22, data exceptions: PostgreSQL quotes the value. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const MAX_CODE = 64;
/** Node's default `Error.stackTraceLimit`. */
const MAX_FRAMES = 10;

/** Reads the `code` of an error, or the `type` of a Temporal failure; null if it could be a sentence. */
function readCode(error: Error): string | number | null {
  const { code, type } = error as { readonly code?: unknown; readonly type?: unknown };
  const given = code ?? type;
  if (typeof given === 'number') return given;
  return typeof given === 'string' && given.length <= MAX_CODE && /^[\w.-]+$/.test(given) ? given : null;
}

/** PostgreSQL errors have a `severity` next to their SQLSTATE. */
const isDatabaseError = (error: Error, code: string | number | null): boolean =>
  'severity' in error && typeof code === 'string' && SQLSTATE.test(code);

/** The frames of a stack, without the message in front of them. */
function extractFrames({ stack = '', message }: Error): string {
  const end = `${message}\n    at `;
  const at = stack.indexOf(end);
  return at < 0 ? '' : stack.slice(at + message.length + 1);
}

/**
 * Serializes an error as name, code and stack. Other properties may hold whole prompts (AI SDK) or rows (pg).
 * @param ofWork the error comes from tenants' work: only messages of PostgreSQL are quoted (SPEC SEC-Z11)
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
  if (isDatabaseError(error, code)) return !DATA_EXCEPTION.test(String(code));
  return !ofWork && !FOREIGN_MESSAGES.test(error.name);
}

const describeCause = (error: Error, ofWork: boolean): string =>
  isQuotable(error, ofWork) ? scrub(error.message) : error.name;

/** One frame of a stack trace. */
const FRAME = /^ {4}at (?:[\w.<>$ []*\]? ?\()?(?:node:|file:\/\/)[\w/.%@-]+:\d+:\d+\)?$/;
const NAME_OF_ERROR = /\b([A-Z]\w*Error)\b/;

/** Serializes the standard error of a crashed child process: error name and frames, never the message. */
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

/** Decides whether a warning or an error is one more line about a cause that the log has told of. */
export type Fold = (fields: unknown, message: unknown) => boolean;

/** pino's number of the level `warn`. */
const WARN = 40;

/**
 * Creates a log. Fields: `err` for errors of the service, `thrown` for errors of tenants' work, `crash` for the standard
 * error of a child process that did such work.
 * @param level a pino level
 * @param service the process's name, in each line
 * @param destination where lines go, standard output by default
 * @param more fields of each line: constant ones, and those of the moment; folded lines are written at level `debug`
 */
export function createLog(
  level: string,
  service: string,
  destination: pino.DestinationStream = standardOutput,
  more: { readonly constant?: object; readonly current?: () => object; readonly fold?: Fold } = {},
): Logger {
  const { fold } = more;
  return pino(
    {
      level,
      base: { service, ...more.constant },
      // The number is pino's own; people and log collectors read the word.
      formatters: { level: (severity, number) => ({ level: number, severity }) },
      ...(more.current === undefined ? {} : { mixin: more.current }),
      ...(fold === undefined
        ? {}
        : {
            hooks: {
              logMethod(given, write, number) {
                if (number >= WARN && fold(given[0], given[1])) this.debug(...given);
                else write.apply(this, given);
              },
            },
          }),
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
