/** The shares of organizations in the sandbox: of its threads, and of the bytes that its functions hold. */
import { availableParallelism } from 'node:os';
import { jsonChars } from '../graph/render-budget.ts';
import { NodeError } from '../nodes/kind.ts';
import type { SandboxPort } from '../nodes/tools.ts';
import { FairSemaphore } from '../shares/fair-semaphore.ts';
import type { Release, ShareLimits } from '../shares/fair-semaphore.ts';
import { MAX_ARGUMENT_BYTES, MAX_RESULT_BYTES } from './messages.ts';

const MIB = 1024 * 1024;
/** Each thread has a heap of its own: a guess. */
const MAX_PROCESSORS = 8;

export interface SandboxLimits {
  /** One function runs in each. */
  readonly threads: ShareLimits;
  /** Bytes of arguments, code and results of the functions that run, or stand in line for a thread. */
  readonly bytes: ShareLimits;
}

const processors = Math.min(MAX_PROCESSORS, Math.max(2, availableParallelism()));

/**
 * One thread is out of reach of a single organization, because a function without end holds its thread until its own timeout,
 * which may be 35 s. It comes on top of one for each processor, so that an organization which is alone can use them all.
 *
 * An argument is copied about six times on its way into QuickJS: three of the largest fill the 32 MiB of an organization, and
 * take the worker and its sandbox to 200. The capacity has room for four such organizations.
 */
export const SANDBOX_LIMITS: SandboxLimits = {
  threads: { capacity: processors + 1, perOrganization: processors },
  bytes: { capacity: 128 * MIB, perOrganization: 32 * MIB },
};

export const argumentTooLarge = (): NodeError =>
  new NodeError('argument_too_large', 'The arguments of the function are larger than 8 MB');

/** The turn of one function. */
interface Turn {
  /** Gives the thread back: the next function runs while the result of this one is read. */
  readonly leaveThread: Release;
  /** Gives back all that it holds. */
  readonly end: Release;
}

type Job = Parameters<SandboxPort['run']>[0];

/** The shares that functions hold. */
export class SandboxShares {
  readonly #threads: FairSemaphore;
  readonly #bytes: FairSemaphore;

  constructor({ threads, bytes }: SandboxLimits) {
    this.#threads = new FairSemaphore(threads);
    this.#bytes = new FairSemaphore(bytes);
  }

  /**
   * Waits until a function may run. Its bytes come first: a function that waits for them must keep no thread idle.
   * @throws the signal's reason, or NodeError `argument_too_large`
   */
  async acquire(job: Pick<Job, 'organizationId' | 'code' | 'argument' | 'signal'>): Promise<Turn> {
    const { organizationId, code, argument, signal } = job;
    // Counted without a copy, and at the least: escapes and numbers are longer in the text.
    const chars = jsonChars(argument, MAX_ARGUMENT_BYTES);
    if (chars > MAX_ARGUMENT_BYTES) throw argumentTooLarge();
    const weight = chars + code.length + MAX_RESULT_BYTES;
    const releaseBytes = await this.#bytes.acquire(organizationId, { weight, signal });
    try {
      const leaveThread = await this.#threads.acquire(organizationId, { signal });
      const end = (): void => {
        leaveThread();
        releaseBytes();
      };
      return { leaveThread, end };
    } catch (error) {
      releaseBytes();
      throw error;
    }
  }
}
