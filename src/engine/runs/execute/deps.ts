/** The dependencies of the execution of runs, created once per process. */
import type { Clock } from '../../../base/clock.ts';
import type { Secrets } from '../../../platform/credentials/vault/secrets.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Logger } from '../../../base/log.ts';
import type { NodeTools } from '../../../language/nodes/tools.ts';
import type { ByteLease } from '../../../base/shares/byte-budget.ts';
import type { RunRef } from '../engine.ts';
import type { EffectVault } from '../ledger/questions/held-effects.ts';
import type { CallbackPlace } from '../ledger/questions/callback-answers.ts';
import { MAX_STATE_BYTES, type ByteShares } from '../ledger/read/value-share.ts';
import { RunningAttempts } from './attempt/running-attempts.ts';
import { KeptRules } from './kept-rules.ts';
import { Plans } from './plans.ts';
import { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';
import { TokenAppender } from './tokens.ts';

/** An attempt as its tools see it. */
export interface ToolUser {
  readonly organizationId: string;
  /** The number of runs above its run. */
  readonly runDepth: number;
  /** Pauses the timeout of the attempt while it waits in a queue of this process. @returns resumes it */
  pauseTimeout(): () => void;
  /** Counts the bytes that the attempt holds, until its end is written or it is given up. */
  readonly lease: ByteLease;
}

/** The tools of nodes. Without `attempt` they open no secrets, as for folded nodes. */
export interface ExecuteTools extends NodeTools {
  /** Builds the URL at which another service answers a callback. */
  readonly callbackUrl: (place: CallbackPlace) => string;
  /** Seals the requests that wait for approval. */
  readonly vault: EffectVault;
  /** The most tokens of an answer of the managed model, which budgets reserve when a node names no maximum. */
  readonly maxOutputTokens: number;
  /** The tools for one attempt of a node: every secret that it opens is added to `secrets`. */
  attempt(secrets: Secrets, user: ToolUser): NodeTools;
}

/** The worker process that executes. */
interface WorkerIdentity {
  /** Holds attempts; its lease says whether it is alive (ledger/write/worker-leases.ts). */
  readonly workerId: string;
  /** Its own task queue, where attempts continue that have outlived a local activity. */
  readonly queue: string;
}

/** Limits what attempts of this process do at a time, shared fairly between organizations. */
export interface AttemptSlots {
  /** Waits for a slot. @returns releases it @throws the reason of `signal` when it aborts */
  acquire(organizationId: string, options: { readonly signal: AbortSignal }): Promise<() => void>;
}

export interface ExecuteDeps extends ByteShares {
  readonly db: Db;
  readonly tools: ExecuteTools;
  readonly log: Logger;
  readonly clock: Clock;
  readonly worker: WorkerIdentity;
  readonly slots: AttemptSlots;
  /** Limits the attempts that load what their work reads. */
  readonly loads: AttemptSlots;
  readonly plans: Plans;
  readonly rules: KeptRules;
  readonly tokens: TokenAppender;
  /** Transactions of one run wait here for its lock, and not each with a connection of the pool (withLockedRun). */
  readonly lockQueue: FairSemaphore;
  readonly running: RunningAttempts;
  /** Called after each advance that this process made. */
  readonly onAdvanced?: (run: RunRef) => void;
  /** Called when no activity waits for a running attempt of this process: the execution of its run may have been terminated. */
  readonly onUnhosted?: (run: RunRef) => void;
}

/** One transaction that holds the run, and one that waits for it. */
const TRANSACTIONS_OF_RUN = 2;

type Created = 'plans' | 'rules' | 'tokens' | 'lockQueue' | 'running' | 'maxStateBytes';

/** @param given `maxStateBytes` is MAX_STATE_BYTES when it is left out */
export function createExecuteDeps(
  given: Omit<ExecuteDeps, Created> & Partial<Pick<ExecuteDeps, 'maxStateBytes'>>,
): ExecuteDeps {
  const { db, log, clock, worker, onUnhosted = () => undefined } = given;
  return {
    maxStateBytes: MAX_STATE_BYTES,
    ...given,
    plans: new Plans(),
    rules: new KeptRules(clock),
    tokens: new TokenAppender(db, { log, clock }),
    lockQueue: new FairSemaphore({ capacity: Infinity, perOrganization: TRANSACTIONS_OF_RUN }),
    running: new RunningAttempts({ clock, queue: worker.queue, onUnhosted }),
  };
}
