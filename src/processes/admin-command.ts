/** Commands of the operator's command line (admin.ts), and how they end. */
import type { Config, ConfigError } from '../base/config/config.ts';
import type { Db } from '../base/db/client.ts';
import { createLog, type Logger } from '../base/log.ts';
import { isUuid } from '../base/uuid.ts';

export interface Command {
  readonly summary: string;
  readonly usage: string;
  run(args: string[], config: Config, db: Db): Promise<void>;
  /** Reports that the configuration is invalid, in place of the command. */
  reportBadConfiguration?(args: string[], error: ConfigError): void;
}

/** An option of every command: the output is JSON, one value or one a line. Commands that print nothing else accept it, too. */
export const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;

/** Wrong use of the command line: exit status 2. */
export class UsageError extends Error {}
/** A command that cannot be executed, for example because its object does not exist: exit status 1. */
export class CommandRefused extends Error {}

/** Creates the log of a command, on standard error: its output may be read by a program. */
export const createCommandLog = ({ logLevel }: Config): Logger =>
  createLog(logLevel, 'admin', { write: (line) => void process.stderr.write(line) });

/**
 * Reads the option `--org`; null without one.
 * @throws UsageError when it is not a UUID
 */
export function readOrganizationId(given: string | undefined): string | null {
  if (given !== undefined && !isUuid(given)) throw new UsageError('--org: a UUID is needed');
  return given ?? null;
}

/**
 * Reads an option of a retention: days, or null for `off`; null without the option.
 * @throws UsageError
 */
export function readDays(
  name: string,
  given: string | undefined,
  least = 1,
): { readonly days: number | null } | null {
  if (given === undefined) return null;
  if (given === 'off') return { days: null };
  const days = Number(given);
  if (!/^\d{1,4}$/.test(given) || days < least || days > 3_650)
    throw new UsageError(`--${name} ${given}: ${least} to 3650 days, or off, is needed`);
  return { days };
}
