/** What the interpreter's activities need, built once per worker. */
import type { Db } from '../../db/client.ts';
import type { Extractor } from '../../knowledge/extraction-port.ts';
import type { Logger } from '../../log.ts';
import type { WorkerTools } from '../../../temporal/worker/node-tools.ts';
import type { RunRef } from '../engine.ts';
import { LiveRuns } from './live-runs.ts';
import { Plans } from './plans.ts';
import { TokenAppender } from './token-appender.ts';

export interface EngineDeps {
  readonly db: Db;
  readonly plans: Plans;
  readonly tools: WorkerTools;
  /** Reads documents. */
  readonly extractor: Extractor;
  readonly tokens: TokenAppender;
  readonly liveRuns: LiveRuns;
  readonly log: Logger;
  /** Told of every run that was advanced in this process. */
  readonly onAdvanced?: (run: RunRef) => void;
}

/** What is given to a worker; the rest is its own. */
export type EngineParts = Omit<EngineDeps, 'plans' | 'tokens' | 'liveRuns'>;

export function engineDeps(parts: EngineParts): EngineDeps {
  const { db, log } = parts;
  return { ...parts, plans: new Plans(db), tokens: new TokenAppender(db, log), liveRuns: new LiveRuns() };
}
