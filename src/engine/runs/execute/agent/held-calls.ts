/**
 * The requests of tool calls that people approve: each is prepared before its question opens, sealed and shown with it, and after
 * an approval the sealed one is sent (SPEC REL-approved-effects). Edited arguments make another request, rendered when it is sent.
 */
import { isTransientDatabaseError } from '../../../../base/db/transient-error.ts';
import { Secrets } from '../../../../platform/credentials/vault/secrets.ts';
import { REDACTION_WORK, WorkBudget } from '../../../../language/graph/values/work-budget.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { AgentReply } from '../../../../language/nodes/agent/agent.ts';
import { bindAgentTool, pinFingerprint, type RequestedCall } from '../../../../language/nodes/agent/offer.ts';
import { pinTarget } from '../../../../language/nodes/confirm/pin-target.ts';
import { describeEffect } from '../../../../language/nodes/confirm/question.ts';
import { storeParts, type StoredEffect } from '../../../../language/nodes/confirm/stored-effect.ts';
import type { AnyEffect } from '../../../../language/nodes/effect.ts';
import { mayAskPeople, type AskingRule } from '../../../../language/nodes/effect-rules.ts';
import { readHeldEffect } from '../../ledger/questions/held-effects.ts';
import { readCredentialName } from '../../ledger/read/credential-name.ts';
import { withValueShare, type ValueShare } from '../../ledger/read/value-share.ts';
import { readTurns } from '../../ledger/write/agent-records.ts';
import { sendApproved, unsealed } from '../attempt/confirm.ts';
import { preparesAsked } from '../../walk/admit.ts';
import { buildExecution, chooseWork } from '../attempt/execution.ts';
import { canPause } from '../attempt/pause.ts';
import { readRun, type RunContext, type RunScope } from '../context.ts';
import { buildCall, loadStateFor, ExecutionScope } from '../../walk/context.ts';
import type { ExecuteDeps } from '../deps.ts';
import { PREPARES_ALONE } from '../../walk/folded-call.ts';
import type { AgentTurnTask } from '../protocol.ts';
import { deriveExecution, getAgentConfig, readKnownCalls, type KnownCall } from './calls.ts';
import { findOpening } from './open-turn.ts';

/** A request that waits with the question about its call. */
export interface HeldCall {
  readonly stored: StoredEffect;
  /** Its part of the question's payload. */
  readonly about: JsonObject;
}

/** The prepared requests of an agent's calls. */
export type HeldCalls = ReadonlyMap<string, HeldCall>;

export const nameCall = ({ turn, call }: Pick<KnownCall, 'turn' | 'call'>): string => `${turn}.${call}`;

/** Reading an account takes no bytes of bodies. */
const NO_LEASE = { grow: () => null, close: () => undefined };

/**
 * Prepares the requests of the calls that wait for approval. It locks nothing: an account may have to be opened for its address.
 * @returns none for a call whose request cannot be prepared or kept: its question shows the arguments alone
 */
export async function prepareHeldCalls(deps: ExecuteDeps, task: AgentTurnTask): Promise<HeldCalls> {
  if (!deps.tools.vault.canStore) return new Map();
  return withValueShare(deps, task.organizationId, (share) => prepareCalls({ ...deps, share }, task));
}

async function prepareCalls(
  deps: ExecuteDeps & { readonly share: ValueShare },
  task: AgentTurnTask,
): Promise<HeldCalls> {
  const held = new Map<string, HeldCall>();
  const context = await readRun(deps, task);
  if (context === null) return held;
  const agent = await buildExecution(context, task, {});
  const config = getAgentConfig(context, agent.node);
  const waiting = (await readKnownCalls(context.sql, config, task)).filter(
    ({ waits, question }) => waits && question === null,
  );
  if (waiting.length === 0) return held;
  await loadStateFor(context, agent.node);
  const offers = findOpening(await readTurns(context.sql, waiting[0]?.agentStepId ?? ''))?.tools ?? [];
  for (const known of waiting) {
    const { tool, request } = known;
    if (tool === null) continue;
    const scope = new ExecutionScope(context, deriveExecution(agent, known));
    const pinned = pinFingerprint(tool, offers);
    try {
      held.set(nameCall(known), await prepareCall(deps, scope, { ...tool, config: pinned, request }));
    } catch (error) {
      leaveToCall(error);
    }
  }
  return held;
}

/** A tool, as it was offered, with the model's arguments. */
type CalledTool = Pick<NonNullable<KnownCall['tool']>, 'config'> & Pick<KnownCall, 'request'>;

/** Prepares the request of a call. @param onAsk gets the rules that ask people about it */
async function prepareEffect(
  { tools }: Pick<ExecuteDeps, 'tools'>,
  scope: RunScope,
  { config, request }: CalledTool,
  onAsk?: (rule: AskingRule) => void,
): Promise<AnyEffect> {
  const { organizationId } = scope.context.segment;
  const user = { organizationId, runDepth: 0, pauseTimeout: () => () => undefined, lease: NO_LEASE };
  const call = buildCall(scope, {
    signal: new AbortController().signal,
    tools: tools.attempt(new Secrets(), user),
    ...PREPARES_ALONE,
  });
  const bound = bindAgentTool(preparesAsked(call, onAsk), config, request.arguments ?? {});
  return pinTarget(bound.call, bound.sender, await bound.sender.prepare(bound.call));
}

async function prepareCall(deps: ExecuteDeps, scope: RunScope, called: CalledTool): Promise<HeldCall> {
  const { context } = scope;
  const { segment } = context;
  const effect = await prepareEffect(deps, scope, called);
  const stored = await storeParts(segment, effect);
  const about = await describeCall(context, { effect, digest: stored.digest });
  return { stored, about };
}

async function describeCall(
  { sql, segment, redaction }: RunContext,
  { effect, digest }: { readonly effect: Parameters<typeof describeEffect>[0]; readonly digest: string },
): Promise<JsonObject> {
  const { credential_id: id } = effect;
  const work = new WorkBudget(REDACTION_WORK);
  const { payload } = describeEffect(effect, {
    digest,
    credential: id === null ? null : { id, name: await readCredentialName(sql, segment, id) },
    last: null,
    changes: [],
    rule: null,
    editable: [],
    redact: (value: Json): Json => redaction.json(value, work),
  });
  return payload;
}

/**
 * Marks the calls of a turn whose requests a rule of the organization asks people about: they wait like those of a tool with `approval`.
 * A call that cannot be prepared is left as it is, and fails when it is made.
 */
export async function markAskedCalls(
  deps: Pick<ExecuteDeps, 'tools'>,
  { context, execution }: Pick<RunScope, 'context' | 'execution'>,
  reply: AgentReply,
): Promise<AgentReply> {
  const canAsk = mayAskPeople(context.effectRules) && deps.tools.vault.canStore;
  if (reply.kind === 'final' || !canAsk || !canPause(context, execution)) return reply;
  const { tools } = getAgentConfig(context, execution.node);
  const calls: RequestedCall[] = [];
  for (const request of reply.calls) {
    const tool = tools.find(({ name }) => name === request.name);
    const asked: AskingRule[] = [];
    if (tool !== undefined && request.refusal === null)
      await prepareEffect(
        deps,
        new ExecutionScope(context, execution),
        { config: tool.config, request },
        (rule) => void asked.push(rule),
      ).catch(leaveToCall);
    const rule = asked.at(-1);
    calls.push(
      rule === undefined ? request : { ...request, asked: { rule: rule.name, confirm: rule.confirm } },
    );
  }
  return { ...reply, calls };
}

/** Leaves a failure to the call, which fails in the same way; an outage is none. */
function leaveToCall(error: unknown): void {
  if (isTransientDatabaseError(error)) throw error;
}

/**
 * Chooses the work of an execution without `confirm`. Of a call that was approved as it was shown, the sealed request leaves; without
 * one, as for questions that were opened before requests were kept, the call is made with its approved arguments.
 */
export function chooseAllowedWork(
  { tools: { vault } }: Pick<ExecuteDeps, 'tools'>,
  { context, execution }: Pick<RunScope, 'context' | 'execution'>,
): ReturnType<typeof chooseWork> {
  const otherwise = chooseWork(execution);
  const { tool = null, approvedBy: interruptId = null, request } = execution.toolCall ?? {};
  if (tool === null || interruptId === null) return otherwise;
  const { sql, segment } = context;
  const { organizationId } = segment;
  return async (call) => {
    const held = await unsealed(() => readHeldEffect(sql, vault, { organizationId, interruptId }));
    return held === null
      ? otherwise(call)
      : sendApproved(bindAgentTool(call, tool, request?.arguments ?? {}), { ...held, interruptId });
  };
}
