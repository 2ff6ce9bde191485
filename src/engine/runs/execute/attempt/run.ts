/**
 * Runs one execution of an effectful node or a tool call: opens an attempt, does the work, ends the attempt. Nothing is locked between
 * the two writes. An execution that has ended never runs again.
 */
import { abandonAfterAbort } from '../../../../base/abandon.ts';
import { Secrets } from '../../../../platform/credentials/vault/secrets.ts';
import { isTransientDatabaseError } from '../../../../base/db/transient-error.ts';
import { noteAbandonedWork, noteAttempt } from '../../../../base/observe/worker-metrics.ts';
import { describeAgentWork } from '../../../../base/observe/gen-ai.ts';
import { traced, type SpanPlan } from '../../../../base/observe/tracing.ts';
import type { Redaction } from '../../../../language/graph/redaction/redaction.ts';
import type { WorkBudget } from '../../../../language/graph/values/work-budget.ts';
import type { NodeCall, NodeResult } from '../../../../language/nodes/kind.ts';
import type { ModelMessage, NodeTools } from '../../../../language/nodes/tools.ts';
import { isHeld, type HeldStep } from '../../ledger/write/steps.ts';
import { judgeHolder } from '../../ledger/write/worker-leases.ts';
import { buildCall, loadStateFor, type NodeExecution, ExecutionScope } from '../../walk/context.ts';
import { chooseAllowedWork } from '../agent/held-calls.ts';
import { findBudget } from '../budget.ts';
import type { ExecuteDeps } from '../deps.ts';
import { done, type AttemptEnd, type Host, type HostedEnd } from '../host.ts';
import type { NodeOutcome, NodeTask } from '../protocol.ts';
import { AttemptPlace } from './attempt-place.ts';
import { findConfirmation, pauseForApproval } from './confirm.ts';
import { addInput, toAttemptEnd, endWithResult, type Fenced } from './end.ts';
import type { Attempt } from './execution.ts';
import { LiveNode } from './live.ts';
import {
  openAttempt,
  openFirstAttempt,
  recordStart,
  type AttemptRequest,
  type NotDue,
  type HeldElsewhere,
} from './open.ts';
import { outlastOutage, RETRY_MS, sleep } from './outlast-outage.ts';
import { redact, redactFailure, redactResult, type FailedWork } from '../../walk/redact.ts';
import { endRefused, endWithThrown } from './retry.ts';
import type { AttemptControl } from './running-attempts.ts';

/**
 * Work without an effect needs no record before it starts: its start is written after this time, or with its end. `node_started`
 * comes that much later.
 */
const RECORD_AFTER_MS = 50;
/**
 * An attempt that is due within this time is waited for here: the clocks of workers differ, and each wait in Temporal is an activity
 * and a timer.
 */
const SHORT_WAIT_MS = 1_000;
/** How often an attempt that another worker holds is checked. */
const HOLDER_CHECK_MS = 250;

/**
 * Runs an execution of a node or a tool call on a host, or joins the running one of this process.
 * @param item of a mapped node, when it is known
 * @throws errors of the database, other than of an outage, while the attempt is opened or ended
 */
export function runNode(
  deps: ExecuteDeps,
  host: Host,
  { task, item = null }: { readonly task: NodeTask; readonly item?: NodeExecution['item'] },
): Promise<HostedEnd<NodeOutcome>> {
  return deps.running.run(host, task, (control) => {
    const request = { deps, control, task, item };
    return attemptUntilEnded(request, (place, isFirst) =>
      attemptNode({ ...request, place }, isFirst && task.isRepeated !== true),
    );
  });
}

/**
 * Makes attempts until one, here or in another process, has a recorded end. An outage of the database does not end it: while this
 * process lives, others take its attempts for running ones, and would wait for this one without end.
 * @param attempt opens one by the record and ends it; its place is given back then
 * @throws errors other than of an outage; those, too, when the execution is given up
 */
export async function attemptUntilEnded<Result>(
  { deps, control, task }: Omit<AttemptRequest, 'place'>,
  attempt: (
    place: AttemptPlace,
    isFirst: boolean,
  ) => Promise<AttemptEnd<Result> | Fenced | HeldElsewhere | NotDue>,
): Promise<AttemptEnd<Result>> {
  for (let isFirst = true; ; isFirst = false) {
    const release = await deps.slots.acquire(task.organizationId, { signal: control.signal });
    const place = new AttemptPlace(deps, task.organizationId, release);
    try {
      const end = await attempt(place, isFirst);
      if (end.kind === 'held') {
        // The slot is free while another worker runs the attempt.
        place.leave();
        await awaitHolder(deps, control, end);
        continue;
      }
      if (end.kind === 'early') {
        if (end.delayMs > SHORT_WAIT_MS) return { ...end, kind: 'retry' };
        place.leave();
        await sleep(deps.clock, end.delayMs);
        continue;
      }
      // When fenced, the record of the other attempt decides.
      if (end.kind !== 'fenced') return end;
    } catch (error) {
      if (control.signal.aborted || !isTransientDatabaseError(error)) throw error;
      place.leave();
      await sleep(deps.clock, RETRY_MS);
    } finally {
      place.leave();
    }
  }
}

/** Makes one attempt of a node, unless its step needs none. */
async function attemptNode(
  request: AttemptRequest,
  isFirst: boolean,
): Promise<AttemptEnd<NodeOutcome> | Fenced | HeldElsewhere | NotDue> {
  const opened = (isFirst ? await openFirstAttempt(request) : null) ?? (await openAttempt(request));
  switch (opened.kind) {
    case 'gone':
    case 'held':
    case 'early':
      return opened;
    case 'ended':
      return toAttemptEnd(opened.step);
    case 'paused':
      return done(opened.outcome);
    case 'refused':
      return endRefused(opened.attempt, opened.error);
    case 'open':
      return runAttempt(opened.attempt);
  }
}

/** Waits until the attempt of another worker has ended or that worker is lost. @throws when the execution is given up */
async function awaitHolder(
  { db, clock, worker }: ExecuteDeps,
  control: AttemptControl,
  held: HeldStep,
): Promise<void> {
  const asking = worker.workerId;
  const waitOptions = { clock, signal: control.signal };
  for (;;) {
    control.signal.throwIfAborted();
    const isHeldElsewhere = await outlastOutage(waitOptions, async () => {
      if (held.heldBy === null || !(await isHeld(db, held))) return false;
      return (await judgeHolder(db, { asking, holder: held.heldBy })) !== 'lost';
    });
    if (!isHeldElsewhere) return;
    await sleep(clock, HOLDER_CHECK_MS);
  }
}

/** Does the work of an open attempt, and ends it. */
async function runAttempt(attempt: Attempt): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  const { clock } = attempt.deps;
  const beganMs = clock.monotonic();
  const confirmed = findConfirmation(attempt.deps, attempt);
  const work = confirmed === null ? chooseAllowedWork(attempt.deps, attempt) : confirmed.run.bind(confirmed);
  const working = startWork<NodeResult>(attempt, {
    work: async (call, live) => addInput(await work(call), live.kept.input),
    redactPaths: redactResult,
  });
  try {
    if (
      !attempt.isRecorded &&
      !(await endsBriefly(attempt, working)) &&
      !(await recordLateStart(attempt, working))
    )
      working.live.fence();
    const end = await working.end;
    if (end.kind === 'threw') return await endWithThrown(attempt, working.live, end);
    if (confirmed !== null && end.result.outcome === 'interrupted')
      return await pauseForApproval(attempt, confirmed, end.result);
    const durationMs = Math.round(clock.monotonic() - beganMs);
    return await endWithResult(attempt, { result: end.result, warnings: working.scope.warnings, durationMs });
  } finally {
    working.live.close();
  }
}

/**
 * Records the start of work without an effect that takes long.
 * @returns false as `recordStart`
 * @throws the error of the database, after the work has stopped: it must not overlap the next attempt
 */
async function recordLateStart(attempt: Attempt, { live, end }: StartedWork<unknown>): Promise<boolean> {
  try {
    return await recordStart(attempt);
  } catch (error) {
    live.fence();
    await end;
    throw error;
  }
}

/** @returns false when the work takes longer than RECORD_AFTER_MS */
function endsBriefly({ deps: { clock } }: Attempt, { end }: StartedWork<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => resolve(false), RECORD_AFTER_MS);
    void end.then(() => {
      clock.clearTimeout(timer);
      resolve(true);
    });
  });
}

/** The end of work; an error of the final stream write counts as its own. */
type WorkEnd<Result> =
  | { readonly kind: 'worked'; readonly result: Result }
  | ({ readonly kind: 'threw' } & FailedWork);

/** Running work. `end` never rejects. */
interface StartedWork<Result> {
  readonly live: LiveNode;
  readonly scope: ExecutionScope<Attempt['context']>;
  readonly end: Promise<WorkEnd<Result>>;
}

/** The work of an attempt, and the redaction of its result. */
interface Work<Result> {
  readonly work: (call: NodeCall<unknown>, live: LiveNode) => Promise<Result> | Result;
  readonly redactPaths: (result: Result, redaction: Redaction, work: WorkBudget) => Result;
}

/** Wraps what work writes before it ends: redacted, and nothing once it was given up. */
function guardWrites(
  tools: NodeTools,
  { context, redactionWork }: ExecutionScope,
  { signal }: LiveNode,
): NodeTools {
  const { redaction } = context;
  const { memory, compositions } = tools;
  const redactMessage = ({ role, content }: ModelMessage): ModelMessage => {
    const redacted = redaction.json({ content }, redactionWork);
    return { role, content: redacted.content };
  };
  return {
    ...tools,
    memory: {
      read: (organizationId, threadId, limit) => memory.read(organizationId, threadId, limit),
      async append(thread, of, messages) {
        signal.throwIfAborted();
        await memory.append(thread, of, redaction.isEmpty ? messages : messages.map(redactMessage));
      },
    },
    compositions: {
      async save(composition) {
        signal.throwIfAborted();
        return compositions.save(composition);
      },
    },
  };
}

/**
 * Starts the work of an open attempt, of a node or an agent's turn, in its own span: one activity may run several. Work that goes on
 * after its timeout, a cancellation or a shutdown is abandoned. The caller closes `live`.
 */
export function startWork<Result>(
  attempt: Attempt,
  { work, redactPaths }: Work<Result>,
): StartedWork<Result> {
  const { deps, context, execution, control } = attempt;
  const { redaction } = context;
  const secrets = new Secrets();
  const live = new LiveNode(attempt, secrets);
  const scope = new ExecutionScope(context, execution);
  const beganMs = deps.clock.monotonic();
  const note = (outcome: 'completed' | 'failed'): void =>
    noteAttempt(execution.node.type, outcome, (deps.clock.monotonic() - beganMs) / 1_000);
  const leaveBehind = (ended: Promise<void>): void => {
    const { type, id } = execution.node;
    noteAbandonedWork(type);
    deps.log.warn(
      { run_pk: attempt.task.runPk, node_id: id, node_type: type },
      'work goes on after its abort',
    );
    attempt.place.keepFor(ended);
  };
  const run = async (): Promise<WorkEnd<Result>> => {
    try {
      await loadForWork(attempt, live);
      const budget = findBudget(deps, attempt, live);
      const metered = execution.meter.wrapTools(deps.tools.attempt(secrets, live), budget);
      const tools = guardWrites(metered, scope, live);
      const call = buildCall(scope, {
        signal: live.signal,
        tools,
        emit: live,
        hold: (bytes) => live.hold(bytes),
        keepInput: (input, hidden) => live.keepInput(input, hidden),
        spend: async (door) => budget?.countChange(door),
        effects: live,
      });
      const { signal } = live;
      const working = async (): Promise<Result> => work(call, live);
      const made = await traced(describeSpan(attempt), () =>
        abandonAfterAbort(working(), { clock: deps.clock, signal }, leaveBehind),
      );
      const result = redact(redactPaths(made, redaction, scope.redactionWork), secrets);
      await outlastOutage({ clock: deps.clock, signal: control.signal }, () => live.drain());
      note('completed');
      return { kind: 'worked', result };
    } catch (error) {
      note('failed');
      await live.drain().catch(() => undefined);
      const { input, hidden } = live.kept;
      secrets.add(...hidden);
      const failed = redactFailure({ error, input }, { redaction, work: scope.redactionWork, secrets });
      return { kind: 'threw', ...failed };
    } finally {
      // The end of the node may load them anew, within the same bytes.
      context.values.forget();
    }
  };
  return { live, scope, end: run() };
}

/** Loads what the work reads. The wait for its bytes and its turn does not count as the node's time. */
async function loadForWork({ deps, context, execution, place }: Attempt, live: LiveNode): Promise<void> {
  const resume = live.pauseTimeout();
  try {
    const { organizationId, signal } = live;
    await place.share.load(
      () => loadStateFor(context, execution.node),
      signal,
      () => deps.loads.acquire(organizationId, { signal }),
    );
  } finally {
    resume();
  }
}

function describeSpan({ task, context: { segment }, execution }: Attempt): SpanPlan {
  const { node, attempt, toolCall } = execution;
  const agentWork = describeAgentWork({
    id: node.id,
    type: node.type,
    toolName: toolCall === undefined ? null : node.name,
    threadId: segment.threadId,
  });
  return {
    name: agentWork.name ?? `node ${node.type}`,
    kind: 'internal',
    traceparent: null,
    attributes: {
      ...agentWork.attributes,
      'run.root_run_pk': task.rootRunPk,
      'node.id': node.id,
      'node.type': node.type,
      'node.visit': task.visit,
      'node.attempt': attempt,
    },
  };
}
