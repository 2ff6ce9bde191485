/** Queries of credentials within one organization; none reads the secret. */
import { systemClock } from '../../../base/clock.ts';
import type { Prisma } from '../../../base/db/generated/client.ts';
import { notFound } from '../../../base/errors.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { CredentialRef } from '../../../language/nodes/tools.ts';

/** Omits the secret; every call of Prisma Client about credentials uses it. */
export const WITHOUT_SECRET = {
  omit: { keyId: true, wrappedKey: true, ciphertext: true, renewingUntil: true },
} as const;
export type CredentialRow = Prisma.CredentialGetPayload<typeof WITHOUT_SECRET>;

/** Returns the current status: an expired credential is `expired`, whatever is stored. */
export function readStatus({ status, expiresAt }: CredentialRow): string {
  return status !== 'revoked' && expiresAt !== null && expiresAt <= new Date(systemClock.now())
    ? 'expired'
    : status;
}

/** Locks the row until the transaction ends. @throws ApiError 404 */
export async function lockCredential(
  tx: Prisma.TransactionClient,
  { organizationId, credentialId }: CredentialRef,
): Promise<CredentialRow> {
  await tx.$queryRaw`
    SELECT id FROM credentials WHERE organization_id = ${organizationId}::uuid AND id = ${credentialId}::uuid FOR UPDATE`;
  const row = await tx.credential.findFirst({
    ...WITHOUT_SECRET,
    where: { id: credentialId, organizationId },
  });
  if (row === null) throw notFound('Credential');
  return row;
}

interface DefinitionRow {
  readonly workflow_id: string;
  readonly name: string;
  /** Version of the deployment; null for the draft. */
  readonly version: string | null;
  readonly definition: JsonObject;
}

/** Finds the drafts and deployments whose JSON text contains the credential's id anywhere; drafts first. */
export function findMentioning(
  prisma: Prisma.TransactionClient,
  { organizationId, credentialId }: CredentialRef,
): Promise<DefinitionRow[]> {
  return prisma.$queryRaw<DefinitionRow[]>`
    SELECT id AS workflow_id, name, NULL AS version, workflow_schema AS definition FROM workflows
    WHERE organization_id = ${organizationId}::uuid AND workflow_schema::text ILIKE '%' || ${credentialId} || '%'
    UNION ALL
    SELECT workflow_id, name, version, workflow_schema FROM deployments
    WHERE organization_id = ${organizationId}::uuid AND workflow_schema::text ILIKE '%' || ${credentialId} || '%'`;
}
