/** Finds the type of a credential by its name: an entry of the catalog, or one that the organization made. */
import type { IntegrationType, Prisma } from '../../base/db/generated/client.ts';
import { findIntegration } from '../../language/nodes/integrations/catalog.ts';
import type { Integration } from '../../language/nodes/integrations/integration.ts';
import type { TypeWithClient } from './oauth-party.ts';
import { toOwnClient } from './own-client.ts';
import { toIntegration, type TypeAuth, type TypeDescription } from './stored-type.ts';
import type { Vault } from './vault/vault.ts';

/** Names of types of organizations begin so, and no name of the catalog does. */
const OWN_PREFIX = 'custom-';

/** The name of a type within an organization. */
interface TypeName {
  readonly organizationId: string;
  readonly name: string;
}

const describeRow = (row: IntegrationType): TypeDescription => ({
  name: row.name,
  display_name: row.displayName,
  description: row.description,
  base_url: row.baseUrl,
  allowed_hosts: row.allowedHosts,
  auth: row.auth as TypeAuth,
  test: row.test as TypeDescription['test'],
});

const findRow = (prisma: Prisma.TransactionClient, { organizationId, name }: TypeName) =>
  prisma.integrationType.findFirst({ where: { organizationId, name } });

/** @returns null for an unknown name */
export async function findType(
  prisma: Prisma.TransactionClient,
  named: TypeName,
): Promise<Integration | null> {
  if (!named.name.startsWith(OWN_PREFIX)) return findIntegration(named.name);
  const row = await findRow(prisma, named);
  return row === null ? null : toIntegration(describeRow(row));
}

/** As findType; a type of the organization is neither changed nor deleted until the transaction ends. */
export async function lockType(tx: Prisma.TransactionClient, named: TypeName): Promise<Integration | null> {
  const { organizationId, name } = named;
  if (name.startsWith(OWN_PREFIX))
    await tx.$queryRaw`
      SELECT id FROM integration_types WHERE organization_id = ${organizationId}::uuid AND name = ${name} FOR SHARE`;
  return findType(tx, named);
}

/**
 * As findType, with the OAuth client that the organization registered.
 * @throws UnreadableError when its key is not configured
 */
export async function findTypeWithClient(
  prisma: Prisma.TransactionClient,
  vault: Pick<Vault, 'unseal'>,
  named: TypeName,
): Promise<TypeWithClient | null> {
  if (!named.name.startsWith(OWN_PREFIX)) {
    const type = findIntegration(named.name);
    return type === null ? null : { type, ownClient: null };
  }
  const row = await findRow(prisma, named);
  if (row === null) return null;
  const described = describeRow(row);
  const type = toIntegration(described);
  const { id, keyId, wrappedKey, ciphertext } = row;
  if (keyId === null || wrappedKey === null || ciphertext === null) return { type, ownClient: null };
  const owner = { organizationId: named.organizationId, credentialId: id };
  const sealed = { keyId, wrappedKey: Buffer.from(wrappedKey), ciphertext: Buffer.from(ciphertext) };
  return { type, ownClient: toOwnClient(described.auth, vault.unseal(owner, sealed)) };
}

/** Lists the types that the organization made, by name. */
export async function listOwnTypes(
  prisma: Prisma.TransactionClient,
  organizationId: string,
): Promise<Integration[]> {
  const rows = await prisma.integrationType.findMany({ where: { organizationId }, orderBy: { name: 'asc' } });
  return rows.map((row) => toIntegration(describeRow(row)));
}
