/** Creates, lists, changes and deletes the integration types of an organization. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../base/clock.ts';
import { Prisma, type IntegrationType } from '../../../../base/db/generated/client.ts';
import { conflict, notFound } from '../../../../base/errors.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import type { Scope } from '../../../access/caller.ts';
import { requireQuota } from '../../../billing/admission.ts';
import type { TypeAuth } from '../../stored-type.ts';
import { requireVault, type CredentialDeps } from '../service.ts';
import { requireFittingType, splitSecret } from './check-type.ts';
import type { NewAuth, NewType, TypeChange } from './schema.ts';

export interface TypeDeps extends CredentialDeps {
  readonly clock: Clock;
}

/** Columns of the secret are never read here. */
const WITHOUT_SECRET = { omit: { keyId: true, wrappedKey: true, ciphertext: true } } as const;
export type TypeRow = Omit<IntegrationType, 'keyId' | 'wrappedKey' | 'ciphertext'>;

interface TypeRef {
  readonly organizationId: string;
  readonly id: string;
}

function sealAuth(deps: TypeDeps, { organizationId, id }: TypeRef, given: NewAuth) {
  const { auth, secret } = splitSecret(given);
  const columns = { auth: auth as TypeAuth & Prisma.InputJsonObject };
  if (secret === null) return { ...columns, keyId: null, wrappedKey: null, ciphertext: null };
  const sealed = requireVault(deps, 'OAuth clients').seal({ organizationId, credentialId: id }, secret);
  return {
    ...columns,
    keyId: sealed.keyId,
    wrappedKey: new Uint8Array(sealed.wrappedKey),
    ciphertext: new Uint8Array(sealed.ciphertext),
  };
}

const toTest = (test: NewType['test']) => (test === null ? Prisma.DbNull : { path: test.path });

/** @throws ApiError 403 shape D `quota_exceeded`, 409 for a name that is taken, 422 for parts that do not fit, 503 without a key */
export async function createType(
  deps: TypeDeps,
  { organizationId, subscription, caller }: Scope,
  body: NewType,
): Promise<TypeRow> {
  await requireFittingType(body.base_url, body.auth);
  const id = randomUUID();
  return deps.db.prisma.$transaction(async (tx) => {
    // The lock makes concurrent creations count one another.
    await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
    const count = await tx.integrationType.count({ where: { organizationId } });
    requireQuota(subscription, 'integration_types', count);
    if ((await tx.integrationType.count({ where: { organizationId, name: body.name } })) > 0)
      throw conflict('integration_type_name_taken', 'Another integration type has this name');
    return tx.integrationType.create({
      ...WITHOUT_SECRET,
      data: {
        ...sealAuth(deps, { organizationId, id }, body.auth),
        id,
        organizationId,
        name: body.name,
        displayName: body.display_name,
        description: body.description,
        baseUrl: body.base_url,
        allowedHosts: [...(body.allowed_hosts ?? [])],
        test: toTest(body.test),
        createdBy: caller.userId,
      },
    });
  });
}

/** Lists the types of the organization by name; the plan bounds their number. */
export const listTypes = ({ db }: TypeDeps, { organizationId }: Scope): Promise<TypeRow[]> =>
  db.prisma.integrationType.findMany({
    ...WITHOUT_SECRET,
    where: { organizationId },
    orderBy: { name: 'asc' },
  });

/** @throws ApiError 404 */
export async function getType(
  { db }: Pick<TypeDeps, 'db'>,
  { organizationId }: Pick<Scope, 'organizationId'>,
  id: string,
): Promise<TypeRow> {
  const row = await db.prisma.integrationType.findFirst({ ...WITHOUT_SECRET, where: { id, organizationId } });
  if (row === null) throw notFound('Integration type');
  return row;
}

/** Locks a type against new credentials. @throws ApiError 404 */
async function lockUnlessGone(
  tx: Prisma.TransactionClient,
  { organizationId, id }: TypeRef,
): Promise<TypeRow> {
  await tx.$queryRaw`
    SELECT id FROM integration_types WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  const row = await tx.integrationType.findFirst({ ...WITHOUT_SECRET, where: { id, organizationId } });
  if (row === null) throw notFound('Integration type');
  return row;
}

/** @throws ApiError 409 */
async function requireUnused(tx: Prisma.TransactionClient, { organizationId, name }: TypeRow): Promise<void> {
  const count = await tx.credential.count({ where: { organizationId, integration: name } });
  if (count > 0)
    throw conflict(
      'integration_type_in_use',
      `${count === 1 ? 'A credential has' : `${count} credentials have`} this type`,
    );
}

/**
 * Changes the supplied fields. Where secrets go to is fixed while credentials have the type: an administrator could send the
 * secrets of others to a host of their own otherwise.
 * @throws ApiError 404, 409 for such a field of a type in use, 422, 503
 */
export async function changeType(
  deps: TypeDeps,
  { organizationId }: Scope,
  { id, body }: { readonly id: string; readonly body: TypeChange },
): Promise<TypeRow> {
  const ref = { organizationId, id };
  return deps.db.prisma.$transaction(async (tx) => {
    const before = await lockUnlessGone(tx, ref);
    const { base_url: baseUrl, allowed_hosts: allowedHosts, auth, test } = body;
    if (baseUrl !== undefined || allowedHosts !== undefined || auth !== undefined) {
      await requireUnused(tx, before);
      await requireFittingType(
        baseUrl === undefined ? before.baseUrl : baseUrl,
        auth ?? (before.auth as NewAuth & JsonObject),
      );
    }
    return tx.integrationType.update({
      ...WITHOUT_SECRET,
      where: { id, organizationId },
      data: {
        displayName: body.display_name ?? before.displayName,
        description: body.description ?? before.description,
        ...(baseUrl !== undefined && { baseUrl }),
        ...(allowedHosts !== undefined && { allowedHosts: [...(allowedHosts ?? [])] }),
        ...(auth !== undefined && sealAuth(deps, ref, auth)),
        ...(test !== undefined && { test: toTest(test) }),
        updatedAt: new Date(deps.clock.now()),
      },
    });
  });
}

/** Deletes a type. @throws ApiError 404, 409 while credentials have it */
export async function deleteType(deps: TypeDeps, { organizationId }: Scope, id: string): Promise<void> {
  await deps.db.prisma.$transaction(async (tx) => {
    await requireUnused(tx, await lockUnlessGone(tx, { organizationId, id }));
    await tx.integrationType.deleteMany({ where: { id, organizationId } });
  });
}
