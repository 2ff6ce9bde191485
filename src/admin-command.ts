/** Commands of the operator's command line (admin.ts), and how they end. */
import type { Config } from './config/config.ts';
import type { Db } from './db/client.ts';

export interface Command {
  readonly summary: string;
  readonly usage: string;
  run(args: string[], config: Config, db: Db): Promise<void>;
}

/** Wrong use of the command line: exit status 2. */
export class UsageError extends Error {}
/** A command that cannot be executed, for example because its object does not exist: exit status 1. */
export class CommandRefused extends Error {}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
