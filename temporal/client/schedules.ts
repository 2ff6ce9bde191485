/** Temporal's Schedules, as copies of the rows of `schedules`: the rows decide. */
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleClient,
  type ScheduleOverlapPolicy,
  type ScheduleUpdateOptions,
} from '@temporalio/client';
import {
  type OverlapPolicy,
  type ScheduleEngine,
  type ScheduleSettings,
  type ScheduleState,
} from '../../src/engine/schedules/schedule-engine.ts';
import {
  SCHEDULED_WORKFLOW_TYPE,
  toScheduledWorkflowId,
  toTemporalScheduleId,
  type ScheduledInput,
} from '../contract.ts';
import { TemporalRejected } from '../../src/base/errors.ts';
import { toSearchable } from './search-attributes.ts';

/** `skip` is decided when the firing is accepted, which records the reason; so Temporal allows all of them. */
const OVERLAP: Readonly<Record<OverlapPolicy, ScheduleOverlapPolicy>> = {
  skip: 'ALLOW_ALL',
  buffer_one: 'BUFFER_ONE',
  allow_all: 'ALLOW_ALL',
  cancel_other: 'CANCEL_OTHER',
  terminate_other: 'TERMINATE_OTHER',
};

interface TemporalSchedulesDeps {
  readonly schedules: ScheduleClient;
  readonly taskQueue: string;
  /** The key that payloads are encrypted with; null for none. */
  readonly keyId: string | null;
  /** The search attributes in use. */
  readRegistered(): Promise<ReadonlySet<string>>;
  /** Gives a call its deadline. */
  withDeadline<T>(call: () => Promise<T>): Promise<T>;
}

export class TemporalSchedules implements ScheduleEngine {
  readonly #deps: TemporalSchedulesDeps;

  constructor(parts: TemporalSchedulesDeps) {
    this.#deps = parts;
  }

  async put(order: ScheduleSettings): Promise<void> {
    const options = this.#options(order, await this.#deps.readRegistered());
    const scheduleId = toTemporalScheduleId(order.scheduleId);
    try {
      if (await this.#callIfExists(order.scheduleId, (handle) => handle.update(() => options))) return;
      await this.#deps.withDeadline(() => this.#deps.schedules.create({ ...options, scheduleId }));
    } catch (error) {
      // The client throws a TypeError for INVALID_ARGUMENT.
      if (error instanceof TypeError) throw new TemporalRejected(error.message, { cause: error });
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      throw new Error('The schedule was created meanwhile', { cause: error });
    }
  }

  async remove(scheduleId: string): Promise<void> {
    await this.#callIfExists(scheduleId, (handle) => handle.delete());
  }

  async trigger(order: ScheduleSettings): Promise<boolean> {
    return this.#callIfExists(order.scheduleId, (handle) => handle.trigger(OVERLAP[order.overlapPolicy]));
  }

  async inspect(order: ScheduleSettings): Promise<ScheduleState> {
    let isCurrent = false;
    let droppedCount = 0;
    await this.#callIfExists(order.scheduleId, async (handle) => {
      const { state, policies, spec, info } = await handle.describe();
      droppedCount = info.numActionsSkippedOverlap;
      isCurrent =
        state.note === this.#stamp(order) &&
        state.paused !== order.enabled &&
        policies.overlap === OVERLAP[order.overlapPolicy] &&
        policies.catchupWindow === order.catchupWindowSeconds * 1_000 &&
        spec.timezone === order.timezone;
    });
    return { isCurrent, droppedCount };
  }

  /**
   * Builds the note that tells an outdated Schedule from a current one. A new encryption key makes it outdated, too: its argument
   * must not outlive the key that encrypted it.
   */
  #stamp(order: ScheduleSettings): string {
    const { keyId } = this.#deps;
    return `revision ${order.revision}${keyId === null ? '' : `, key ${keyId}`}`;
  }

  #options(order: ScheduleSettings, registered: ReadonlySet<string>): ScheduleUpdateOptions {
    const { organizationId, scheduleId } = order;
    const input: ScheduledInput = {
      organizationId,
      scheduleId,
      ...toSearchable(registered),
    };
    const attributes = (
      [
        ['OrganizationId', organizationId],
        ['WorkflowDefinitionId', order.workflowId],
        ['TriggerType', 'schedule'],
      ] as const
    ).flatMap(([name, value]) =>
      registered.has(name) ? [{ key: { name, type: 'KEYWORD' as const }, value }] : [],
    );
    return {
      spec: {
        cronExpressions: [order.cronExpression],
        timezone: order.timezone,
        ...(order.startAt === null ? {} : { startAt: order.startAt }),
        ...(order.endAt === null ? {} : { endAt: order.endAt }),
      },
      action: {
        type: 'startWorkflow',
        workflowType: SCHEDULED_WORKFLOW_TYPE,
        workflowId: toScheduledWorkflowId(organizationId, scheduleId),
        taskQueue: this.#deps.taskQueue,
        args: [input],
        typedSearchAttributes: attributes,
      },
      policies: {
        overlap: OVERLAP[order.overlapPolicy],
        // The server's own default is a year of missed runs at once.
        catchupWindow: order.catchupWindowSeconds * 1_000,
        // Failures in a row are counted in PostgreSQL, which disables the schedule with a reason.
        pauseOnFailure: false,
      },
      state: { paused: !order.enabled, note: this.#stamp(order) },
      typedSearchAttributes: attributes,
    };
  }

  /** @returns false when Temporal has no such schedule */
  async #callIfExists(
    scheduleId: string,
    call: (handle: ReturnType<ScheduleClient['getHandle']>) => Promise<void>,
  ): Promise<boolean> {
    const parts = this.#deps;
    try {
      await parts.withDeadline(() => call(parts.schedules.getHandle(toTemporalScheduleId(scheduleId))));
      return true;
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return false;
      throw error;
    }
  }
}
