/** Shares the threads of the sandbox and the bytes of its functions between organizations. */
import { availableParallelism } from 'node:os';
import { countJsonChars } from '../../language/graph/template/render-budget.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { SandboxPort } from '../../language/nodes/tools.ts';
import { FairSemaphore } from '../../base/shares/fair-semaphore.ts';
import type { Release, ShareLimits } from '../../base/shares/fair-semaphore.ts';
import { MAX_ARGUMENT_BYTES, MAX_RESULT_BYTES } from './messages.ts';

const MIB = 1024 * 1024;
/** A guess: each thread has its own heap. */
const MAX_PROCESSORS = 8;

export interface SandboxLimits {
  /** Each thread runs one function. */
  readonly threads: ShareLimits;
  /** Bytes of arguments, code and results of functions that run or wait for a thread. */
  readonly bytes: ShareLimits;
}

const processors = Math.min(MAX_PROCESSORS, Math.max(2, availableParallelism()));

/**
 * One organization cannot use all threads, because an endless function holds its thread until its timeout (up to 35 s). The
 * spare thread is additional, so that a single organization can still use all processors.
 *
 * An argument is copied about six times on its way into QuickJS: three of the largest fill the 32 MiB of an organization and
 * take 200 MB of the worker and its sandbox. The capacity allows four such organizations.
 */
export const SANDBOX_LIMITS: SandboxLimits = {
  threads: { capacity: processors + 1, perOrganization: processors },
  bytes: { capacity: 128 * MIB, perOrganization: 32 * MIB },
};

/** Serialized in about a millisecond. */
const BRIEF_CHARS = 128 * 1024;

export const createArgumentTooLarge = (): NodeError =>
  new NodeError('argument_too_large', 'The arguments of the function are larger than 8 MB');

/** The turn of one function. */
export interface Turn {
  /**
   * Serializes the argument. A large one waits: one is serialized in each turn of the event loop, and organizations take turns.
   * @throws the signal's reason
   */
  readonly serialize: () => Promise<string>;
  /** Releases the thread, so that the next function runs while this result is parsed. */
  readonly leaveThread: Release;
  /** Releases everything. */
  readonly end: Release;
}

type Job = Parameters<SandboxPort['run']>[0];

export class SandboxShares {
  readonly #threads: FairSemaphore;
  readonly #bytes: FairSemaphore;
  readonly #serializations = new FairSemaphore({ capacity: 1, perOrganization: 1 });

  constructor({ threads, bytes }: SandboxLimits) {
    this.#threads = new FairSemaphore(threads);
    this.#bytes = new FairSemaphore(bytes);
  }

  /**
   * Waits until a function may run. Acquires bytes first, so that a function that waits for bytes holds no idle thread.
   * @throws the signal's reason, or NodeError `argument_too_large`
   */
  async acquire(job: Pick<Job, 'organizationId' | 'code' | 'argument' | 'signal'>): Promise<Turn> {
    const { organizationId, code, argument, signal } = job;
    // A lower bound, counted without serializing.
    const chars = countJsonChars(argument, MAX_ARGUMENT_BYTES);
    if (chars > MAX_ARGUMENT_BYTES) throw createArgumentTooLarge();
    const weight = chars + code.length + MAX_RESULT_BYTES;
    const releaseBytes = await this.#bytes.acquire(organizationId, { weight, signal });
    try {
      const leaveThread = await this.#threads.acquire(organizationId, { signal });
      const end = (): void => {
        leaveThread();
        releaseBytes();
      };
      const serialize = (): Promise<string> => this.#serialize(job, chars);
      return { serialize, leaveThread, end };
    } catch (error) {
      releaseBytes();
      throw error;
    }
  }

  async #serialize(
    { organizationId, argument, signal }: Pick<Job, 'organizationId' | 'argument' | 'signal'>,
    chars: number,
  ): Promise<string> {
    if (chars <= BRIEF_CHARS) return JSON.stringify(argument);
    const release = await this.#serializations.acquire(organizationId, { signal });
    try {
      return JSON.stringify(argument);
    } finally {
      setImmediate(release);
    }
  }
}
