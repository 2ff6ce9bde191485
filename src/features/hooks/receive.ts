/** A request to the address of a hook, from its first byte to the answer that the hook gives its sender. */
import { createHash, createHmac } from 'node:crypto';
import type { Context } from 'koa';
import { takeApiRequest } from '../../platform/billing/windows.ts';
import type { Config } from '../../base/config/config.ts';
import { Vault } from '../../platform/credentials/vault/vault.ts';
import { ApiError, methodNotAllowed, notFound, refuseWith } from '../../base/errors.ts';
import { isObject, ownValue, type Json } from '../../language/graph/values/value.ts';
import { holdBody, readBytes, type BodyDeps } from '../../platform/http/body.ts';
import type { Reply } from '../../platform/http/route.ts';
import { readCallingRun } from '../../platform/http/serve-route.ts';
import { watchClient } from '../../platform/http/write-pieces.ts';
import type { Logger } from '../../base/log.ts';
import type { ByteLease } from '../../base/shares/byte-budget.ts';
import type { WebhookResponse } from '../../language/nodes/kind.ts';
import { requireStartDepth } from '../../engine/runs/accept/limits.ts';
import type { StartDeps } from '../../engine/runs/accept/start.ts';
import { readAnswerCuts, type AnswerCut } from '../../engine/runs/ledger/answer-cuts.ts';
import { readEnded, type EndedRun } from '../../engine/runs/ledger/read/event-reader.ts';
import type { SegmentKey } from '../../engine/runs/ledger/write/segments.ts';
import { readDeliveryState } from '../../engine/runs/ledger/write/webhook-responses.ts';
import {
  awaitEnd,
  awaitFact,
  MAX_RESPONSE_BYTES,
  type AwaitDeps,
} from '../../engine/runs/stream/await-run.ts';
import { deliver, recordRejected, type DeliveryResult } from './deliver.ts';
import {
  computeDuplicateKey,
  describeRefused,
  MAX_HOOK_BODY_BYTES,
  parseHookRequest,
  type HookRequest,
  type RawRequest,
} from './hook-request.ts';
import { readHookSecrets } from './secrets.ts';
import { findHookByToken, noteRejection, type Hook } from './store.ts';
import { HookTemplateError, renderTemplates } from './templates.ts';
import type { SignedRequest } from './signature.ts';
import { verifyRequest } from './verification.ts';

export type HookDeps = StartDeps & AwaitDeps & BodyDeps & { readonly config: Config; readonly log: Logger };

/** The longest wait for a result, in seconds: senders commonly give up after 10 to 30 s. */
const RESULT_WAIT_SECONDS = 30;

/** The origin of the addresses: APP_URL, else the one that the request came to. */
export const findOrigin = ({ config }: Pick<HookDeps, 'config'>, ctx: Context): string =>
  config.appUrl ?? ctx.origin;

/** The hash by which a request finds its hook; the token itself is stored sealed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Answers a sender that tries out a new address: Slack wants its challenge back (https://api.slack.com/events/url_verification), Zoom
 * its token signed (https://developers.zoom.us/docs/api/webhooks, "Validate your webhook endpoint").
 * @returns the answer; null for an event
 */
function answerChallenge({ verification }: Hook, { body }: HookRequest, secret = ''): object | null {
  if (!isObject(body)) return null;
  const challenge = ownValue(body, 'challenge');
  if (verification === 'slack' && ownValue(body, 'type') === 'url_verification')
    return typeof challenge === 'string' ? { challenge } : null;
  if (verification !== 'zoom' || ownValue(body, 'event') !== 'endpoint.url_validation') return null;
  const plainToken = ownValue(ownValue(body, 'payload'), 'plainToken');
  if (typeof plainToken !== 'string') return null;
  return { plainToken, encryptedToken: createHmac('sha256', secret).update(plainToken).digest('hex') };
}

/** Presents what a request has come to, for its sender. */
export function presentDelivered(delivered: DeliveryResult): Readonly<Record<string, unknown>> {
  return delivered.outcome !== 'started'
    ? { status: delivered.outcome, delivery_id: delivered.deliveryId, run_id: null }
    : {
        status: delivered.isDuplicate ? 'duplicate' : 'accepted',
        delivery_id: delivered.deliveryId,
        run_id: delivered.runId,
      };
}

/**
 * Answers as the hook says: with the response of a node, else with the result of the run. 202 when the run goes on, or when too many
 * streams and waits are open; 500 when it did not succeed.
 */
async function answerSender(
  deps: HookDeps,
  hook: Hook,
  delivered: DeliveryResult,
  signal: AbortSignal,
): Promise<Reply> {
  const body = presentDelivered(delivered);
  const accepted = { status: 202, body };
  if (delivered.outcome !== 'started')
    return delivered.outcome === 'filtered' ? { status: 200, body } : accepted;
  const { mode } = hook.response;
  if (mode === 'accepted') return accepted;
  const { runPk } = delivered;
  const run = { organizationId: hook.organizationId, runPk, rootRunPk: runPk };
  const release = deps.feed.semaphore.acquireForWebhook(hook.organizationId);
  // Without a free place a sender still gets what is there already: one that repeats a request is promised the same answer.
  const wait = { seconds: release === null ? 0 : RESULT_WAIT_SECONDS, signal };
  const awaited =
    mode === 'respond'
      ? awaitResponse(deps, { run, deliveryId: delivered.deliveryId }, wait)
      : awaitEnd(deps, run, wait);
  const found = await awaited.finally(() => release?.());
  if (found !== null && 'contentType' in found)
    return addWarnings(toReply(found), await readAnswerCuts(deps.db, runPk));
  if (found === null || found.status === 'interrupted') return accepted;
  // The error stays inside: the sender is a stranger.
  if (found.status !== 'completed')
    return { status: 500, body: { status: found.status, run_id: delivered.runId } };
  const { status = 200, headers = {}, body: template } = hook.response.mode === 'result' ? hook.response : {};
  // An output that is too large to send is told as such: null in its place would be an output.
  const json = found.output_truncated
    ? { status: found.status, run_id: delivered.runId, output_truncated: true }
    : renderAnswer(template, found.output, delivered.runId);
  const reply = { status, headers, json: JSON.stringify(json) };
  return addWarnings(reply, await readAnswerCuts(deps.db, runPk));
}

/** Names the answers of models that are not whole: the body is the workflow's own. */
function addWarnings(reply: Reply, cuts: readonly AnswerCut[]): Reply {
  if (cuts.length === 0) return reply;
  const codes = [...new Set(cuts.map(({ code }) => code))];
  return { ...reply, headers: { ...reply.headers, 'X-Run-Warnings': codes.join(', ') } };
}

interface AnsweredRun {
  readonly run: SegmentKey;
  readonly deliveryId: string;
}

/** Waits for the response of a node, or the end of the run. */
function awaitResponse(
  deps: HookDeps,
  { run, deliveryId }: AnsweredRun,
  wait: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<WebhookResponse | EndedRun | null> {
  const { organizationId, runPk } = run;
  return awaitFact<WebhookResponse | EndedRun>(deps, run, { ...wait, until: 'event' }, async () => {
    const state = await readDeliveryState(deps.db, { organizationId, deliveryId });
    if (state === null) return null;
    return state.response ?? (state.hasRunEnded ? readEnded(deps.db, runPk, MAX_RESPONSE_BYTES) : null);
  });
}

/** A browser that displays the text runs and loads nothing of it: the origin is that of the page. */
const INERT = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

function toReply({ status, contentType, headers, body }: WebhookResponse): Reply {
  const all = { ...headers, ...INERT };
  if (contentType === 'application/json') return { status, headers: all, json: JSON.stringify(body) };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { ...all, 'Content-Type': `${contentType}; charset=utf-8` }, body: text };
}

/** An answer whose template cannot be rendered is null: the run has succeeded, and a repeat would not help the sender. */
function renderAnswer(body: Json | undefined, output: Json, runId: string): Json {
  if (body === undefined) return output;
  try {
    return renderTemplates(body, { output, run_id: runId });
  } catch (error) {
    if (error instanceof HookTemplateError) return null;
    throw error;
  }
}

/** A request whose bytes are counted while they come. */
interface SentEvent {
  readonly ctx: Context;
  readonly lease: ByteLease;
}

/** Reads the bytes of a request. @throws ApiError 413, which the hook counts: its signature cannot be verified */
async function readSent({ db }: HookDeps, { hookId }: Hook, { ctx, lease }: SentEvent): Promise<Buffer> {
  try {
    return await readBytes(ctx.req, lease, MAX_HOOK_BODY_BYTES);
  } catch (error) {
    if (error instanceof ApiError && error.failure.shape === 'A' && error.failure.status === 413)
      await noteRejection(db, hookId, error.failure.code);
    throw error;
  }
}

/** Parses a verified request. @throws ApiError 422, which stands in the log of the hook */
async function parseVerified(deps: HookDeps, hook: Hook, raw: RawRequest): Promise<HookRequest> {
  try {
    return await parseHookRequest(raw, hook);
  } catch (error) {
    const issue = error instanceof ApiError && error.failure.shape === 'C' ? error.failure.issues[0] : null;
    if (issue !== null && issue !== undefined)
      await recordRejected(deps, hook, { request: describeRefused(raw, hook), issue });
    throw error;
  }
}

/**
 * Receives a request at the address of a hook.
 * @returns 202 with the run or for a test event, 200 for a request that the filter left out and for HEAD, or the response of the run
 * @throws ApiError 404 for an unknown or disabled address, 405 for a method that the hook does not take, 401 for a signature that is
 *   missing, wrong or too old, 413 and 422 for the body, 429 for the limits of the organization; as deliver
 */
export async function receive(deps: HookDeps, token: string, ctx: Context): Promise<Reply> {
  const hook = await findHookByToken(deps.db, hashToken(token));
  if (hook === null) throw notFound('Webhook', 'hook');
  // Senders try out an address by HEAD (Trello does), and link previews do.
  if (ctx.method === 'HEAD') return { status: 200, headers: { Allow: hook.methods.join(', ') }, body: '' };
  if (!hook.methods.includes(ctx.method)) {
    await noteRejection(deps.db, hook.hookId, 'method_not_allowed');
    throw methodNotAllowed(hook.methods);
  }
  const { request, signed, secrets } = await holdBody(deps, hook.organizationId, (lease) =>
    readVerified(deps, hook, { ctx, lease }),
  );
  const challenge = answerChallenge(hook, request, secrets[0]);
  if (challenge !== null) return { status: 200, body: challenge };
  const depth = requireStartDepth(readCallingRun(deps, ctx));
  const duplicateKey = computeDuplicateKey(hook, request, signed);
  const delivered = await deliver(deps, hook, { request, depth, duplicateKey, redeliveryOf: null });
  return answerSender(deps, hook, delivered, watchClient(ctx));
}

/** Reads, verifies, counts and parses a request. @throws ApiError as `receive`, but for what follows the body */
async function readVerified(
  deps: HookDeps,
  hook: Hook,
  sent: SentEvent,
): Promise<{
  readonly request: HookRequest;
  readonly signed: SignedRequest;
  readonly secrets: readonly string[];
}> {
  const { ctx } = sent;
  const body = await readSent(deps, hook, sent);
  const secrets = readHookSecrets(new Vault(deps), hook).secrets;
  const { method, req } = ctx;
  const url = `${new URL(findOrigin(deps, ctx)).origin}${req.url ?? ''}`;
  const signed = { method, url, headers: req.headers, body, nowMs: deps.clock.now() };
  const verdict = verifyRequest(hook, secrets, signed);
  if (verdict !== 'valid') {
    await noteRejection(deps.db, hook.hookId, verdict);
    throw refuseWith(401, 'hook_signature_invalid', 'The signature is missing, invalid or too old');
  }
  // Before the body is parsed: whoever knows the address of a hook without verification could fill its log with bodies that are none.
  await takeApiRequest(deps, hook);
  const query = new URLSearchParams(ctx.querystring);
  const raw = { method, headers: req.headers, query, body };
  return { request: await parseVerified(deps, hook, raw), signed, secrets };
}
