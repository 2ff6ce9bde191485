/** What the execution of runs needs of its process, built once. */
import type { Secrets } from '../../credentials/vault/secrets.ts';
import type { Db } from '../../db/client.ts';
import type { Logger } from '../../log.ts';
import type { NodeTools } from '../../nodes/tools.ts';
import type { RunRef } from '../engine.ts';
import { Calls } from './calls.ts';
import { LiveRuns } from './live-work.ts';
import { Plans } from './plans.ts';
import { TokenAppender } from './token-appender.ts';

/** An attempt as its tools see it: whose it is, its clock, and its end. */
export interface ToolUser {
  readonly organizationId: string;
  /** Stops the clock of the attempt while it waits in a queue of this process. @returns starts it again */
  pauseTimeout(): () => void;
  /** Calls `release` when the end of the attempt is written, or nobody waits for it any more. */
  onClose(release: () => void): void;
}

/** What nodes see of the outside world. By itself it opens no secret: for what is folded into an advance. */
export interface ExecuteTools extends NodeTools {
  /** The tools for one attempt of a node: every secret that it opens is added to `secrets`. */
  attempt(secrets: Secrets, user: ToolUser): NodeTools;
}

export interface ExecuteDeps {
  readonly db: Db;
  readonly tools: ExecuteTools;
  readonly log: Logger;
  readonly plans: Plans;
  readonly tokens: TokenAppender;
  readonly liveRuns: LiveRuns;
  readonly calls: Calls;
  /** The task queue of this process, where calls go on that it has begun. */
  readonly home: string;
  /** Called after each advance that this process made. */
  readonly onAdvanced?: (run: RunRef) => void;
}

export function executeDeps(
  given: Omit<ExecuteDeps, 'plans' | 'tokens' | 'liveRuns' | 'calls'>,
): ExecuteDeps {
  const { db, log } = given;
  return {
    ...given,
    plans: new Plans(db),
    tokens: new TokenAppender(db, log),
    liveRuns: new LiveRuns(),
    calls: new Calls(),
  };
}
