/** Creates, lists, changes, rotates, tests and deletes the notification endpoints of an organization, and replays deliveries. */
import { randomUUID } from 'node:crypto';
import { readCursorPage, type CursorPage, type PageQuery } from '../../platform/http/cursor-page.ts';
import { pageByTime } from '../../base/db/keyset.ts';
import type { Scope } from '../../platform/access/caller.ts';
import type { Clock } from '../../base/clock.ts';
import type { NotificationEndpoint } from '../../base/db/generated/client.ts';
import { conflict, invalid, notFound, limitReached } from '../../base/errors.ts';
import { disableEndpoint } from './deliveries.ts';
import { readEndpointSecrets, sealEndpointSecrets } from './endpoint-secrets.ts';
import { TEST_EVENT } from './event-types.ts';
import type { NotificationSender } from './sender.ts';
import { createSecret } from './signature.ts';
import { destinations } from '../../platform/outbound/destinations.ts';
import { requireVault, type CredentialDeps } from '../../platform/credentials/api/service.ts';
import type { DeliveryWithEvent } from './present.ts';
import type { EndpointChange, NewEndpoint } from './schema.ts';

export interface NotificationDeps extends CredentialDeps {
  readonly clock: Clock;
  readonly notificationSender: Pick<NotificationSender, 'kick'>;
}

/** Each event is delivered to every endpoint that names it, so their number multiplies the deliveries. */
const MAX_ENDPOINTS = 10;
/** An organization's tests and replays that wait, at most: they are started by hand. */
const MAX_PENDING_BY_HAND = 100;

export interface EndpointWithSecret {
  readonly row: NotificationEndpoint;
  readonly secret: string;
}

/** @throws ApiError 422 for a URL that the service does not call */
function requireDestination({ config }: NotificationDeps, url: string): void {
  const isAllowed = URL.canParse(url) && destinations(config.outboundAllow).allows(new URL(url));
  if (isAllowed) return;
  const msg = 'The URL must be http or https, of a public host, without a user name or password';
  throw invalid([{ loc: ['body', 'url'], msg, type: 'destination_not_allowed' }]);
}

/** @returns the ids without repetitions @throws ApiError 422 for a workflow that the organization does not have */
async function requireWorkflows(
  { db }: NotificationDeps,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const distinct = [...new Set(ids)];
  const found = await db.prisma.workflow.count({ where: { id: { in: distinct }, organizationId } });
  if (found === distinct.length) return distinct;
  const msg = 'A workflow does not exist';
  throw invalid([{ loc: ['body', 'workflow_ids'], msg, type: 'workflow_not_found' }]);
}

/** @throws ApiError 409 at the limit; 422 for the URL and the workflows; 503 without an encryption key */
export async function createEndpoint(
  deps: NotificationDeps,
  { organizationId, caller }: Scope,
  body: NewEndpoint,
): Promise<EndpointWithSecret> {
  const vault = requireVault(deps, 'Notification endpoints');
  requireDestination(deps, body.url);
  const endpointId = randomUUID();
  const secret = createSecret();
  const row = await deps.db.prisma.$transaction(async (tx) => {
    // The lock makes concurrent creations count one another.
    await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
    if ((await tx.notificationEndpoint.count({ where: { organizationId } })) >= MAX_ENDPOINTS)
      throw limitReached(MAX_ENDPOINTS, 'notification endpoint');
    return tx.notificationEndpoint.create({
      data: {
        ...sealEndpointSecrets(vault, { organizationId, endpointId }, [secret]),
        id: endpointId,
        organizationId,
        name: body.name,
        url: body.url,
        enabled: body.enabled,
        eventTypes: [...new Set(body.event_types)],
        workflowIds: await requireWorkflows(deps, organizationId, body.workflow_ids ?? []),
        createdBy: caller.userId,
      },
    });
  });
  return { row, secret };
}

/** Lists the endpoints of the organization, newest first. */
export function listEndpoints(
  { db }: NotificationDeps,
  { organizationId }: Scope,
): Promise<NotificationEndpoint[]> {
  return db.prisma.notificationEndpoint.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/** @throws ApiError 404 */
export async function getEndpoint(
  { db }: NotificationDeps,
  { organizationId }: Scope,
  endpointId: string,
): Promise<NotificationEndpoint> {
  const row = await db.prisma.notificationEndpoint.findFirst({ where: { id: endpointId, organizationId } });
  if (row === null) throw notFound('Notification endpoint');
  return row;
}

/** Changes the supplied fields. An endpoint that is enabled again starts without its failures. @throws ApiError 404, 422 */
export async function changeEndpoint(
  deps: NotificationDeps,
  scope: Scope,
  { endpointId, body }: { readonly endpointId: string; readonly body: EndpointChange },
): Promise<NotificationEndpoint> {
  const { organizationId } = scope;
  if (body.url !== undefined) requireDestination(deps, body.url);
  await getEndpoint(deps, scope, endpointId);
  const workflowIds =
    body.workflow_ids === undefined
      ? undefined
      : await requireWorkflows(deps, organizationId, body.workflow_ids ?? []);
  const at = new Date(deps.clock.now());
  if (body.enabled === false)
    await deps.db.transaction((tx) => disableEndpoint(tx, { endpointId, organizationId, reason: null, at }));
  const isNew = body.enabled === true || body.url !== undefined;
  return deps.db.prisma.notificationEndpoint.update({
    where: { id: endpointId, organizationId },
    data: {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.url === undefined ? {} : { url: body.url }),
      ...(body.event_types === undefined ? {} : { eventTypes: [...new Set(body.event_types)] }),
      ...(workflowIds === undefined ? {} : { workflowIds }),
      ...(body.enabled === undefined ? {} : { enabled: body.enabled, disabledReason: null }),
      ...(isNew ? { failingSince: null } : {}),
      updatedAt: at,
    },
  });
}

/** Gives the endpoint a new secret; the previous one signs as well for a while. @throws ApiError 404 */
export async function rotateSecret(
  deps: NotificationDeps,
  scope: Scope,
  { endpointId, keepPreviousSeconds }: { readonly endpointId: string; readonly keepPreviousSeconds: number },
): Promise<EndpointWithSecret> {
  const { organizationId } = scope;
  const vault = requireVault(deps, 'Notification endpoints');
  const before = await getEndpoint(deps, scope, endpointId);
  const [current] = readEndpointSecrets(vault, { ...before, endpointId });
  const secret = createSecret();
  const isKept = keepPreviousSeconds > 0 && current !== undefined;
  const nowMs = deps.clock.now();
  const row = await deps.db.prisma.notificationEndpoint.update({
    where: { id: endpointId, organizationId },
    data: {
      ...sealEndpointSecrets(vault, { organizationId, endpointId }, isKept ? [secret, current] : [secret]),
      previousSecretUntil: isKept ? new Date(nowMs + keepPreviousSeconds * 1_000) : null,
      updatedAt: new Date(nowMs),
    },
  });
  return { row, secret };
}

/** Deletes the endpoint with its log. @throws ApiError 404 */
export async function deleteEndpoint(
  { db }: NotificationDeps,
  { organizationId }: Scope,
  endpointId: string,
): Promise<void> {
  const where = { id: endpointId, organizationId };
  if ((await db.prisma.notificationEndpoint.deleteMany({ where })).count === 0)
    throw notFound('Notification endpoint');
}

/** Lists the deliveries of an endpoint, newest first. @throws ApiError 404 */
export async function listDeliveries(
  deps: NotificationDeps,
  scope: Scope,
  { endpointId: id, ...query }: PageQuery & { readonly endpointId: string },
): Promise<CursorPage<DeliveryWithEvent>> {
  const { id: endpointId } = await getEndpoint(deps, scope, id);
  const { organizationId, caller } = scope;
  return readCursorPage(deps.config.auth, query, {
    name: `notification-deliveries/${organizationId}/${caller.userId}/${endpointId}`,
    read(page) {
      const { behind, ...rest } = pageByTime(page, 'createdAt');
      const where = { endpointId, organizationId, AND: behind };
      return deps.db.prisma.notificationDelivery.findMany({ where, include: { event: true }, ...rest });
    },
    readPosition: ({ createdAt, id: rowId }) => ({ place: createdAt.getTime(), rowId }),
  });
}

/** @throws ApiError 409 when too many tests and replays of the organization wait */
async function requireFewByHand({ db }: NotificationDeps, { organizationId }: Scope): Promise<void> {
  const where = {
    organizationId,
    status: 'pending',
    OR: [{ replayOf: { not: null } }, { event: { type: TEST_EVENT } }],
  };
  if ((await db.prisma.notificationDelivery.count({ where })) < MAX_PENDING_BY_HAND) return;
  throw conflict(
    'notification_deliveries_pending',
    'Too many test events and replays are pending. Try again later',
  );
}

/** Sends a test event to the endpoint alone, also while it is disabled. @throws ApiError 404, 409 */
export async function testEndpoint(
  deps: NotificationDeps,
  scope: Scope,
  endpointId: string,
): Promise<DeliveryWithEvent> {
  const { organizationId, callingRunDepth } = scope;
  const { name } = await getEndpoint(deps, scope, endpointId);
  await requireFewByHand(deps, scope);
  const delivery = await deps.db.prisma.$transaction(async (tx) => {
    const timestamp = new Date(deps.clock.now()).toISOString();
    const event = await tx.notificationEvent.create({
      data: {
        organizationId,
        type: TEST_EVENT,
        payload: { type: TEST_EVENT, timestamp, data: { endpoint_id: endpointId, name } },
        runDepth: callingRunDepth ?? 0,
      },
    });
    return tx.notificationDelivery.create({
      data: { organizationId, endpointId, eventId: event.id },
      include: { event: true },
    });
  });
  deps.notificationSender.kick();
  return delivery;
}

/** Delivers an event to its endpoint again, with the same webhook-id. @throws ApiError 404, 409 */
export async function replayDelivery(
  deps: NotificationDeps,
  scope: Scope,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
): Promise<DeliveryWithEvent> {
  const { organizationId } = scope;
  await getEndpoint(deps, scope, endpointId);
  const { notificationDelivery } = deps.db.prisma;
  const where = { id: deliveryId, endpointId, organizationId };
  const delivery = await notificationDelivery.findFirst({ where });
  if (delivery === null) throw notFound('Notification delivery');
  await requireFewByHand(deps, scope);
  const replayed = await notificationDelivery.create({
    data: { organizationId, endpointId, eventId: delivery.eventId, replayOf: delivery.id },
    include: { event: true },
  });
  deps.notificationSender.kick();
  return replayed;
}
