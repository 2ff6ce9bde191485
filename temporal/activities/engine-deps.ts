/** What the interpreter's activities need, built once per worker. */
import type { Db } from '../../src/db/client.ts';
import type { Logger } from '../../src/log.ts';
import type { NodeTools } from '../../src/nodes/tools.ts';
import type { Plans } from './plans.ts';
import type { TokenAppender } from './token-appender.ts';

export interface EngineDeps {
  readonly db: Db;
  readonly plans: Plans;
  readonly tools: NodeTools;
  readonly tokens: TokenAppender;
  readonly log: Logger;
}
