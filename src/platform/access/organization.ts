/** Creates organizations with their first owner. */
import { randomBytes } from 'node:crypto';
import type { Sql } from '../../base/db/client.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly domain: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
}

/** Builds a readable slug with a random suffix, so that equal names have different slugs. */
function buildSlug(name: string): string {
  const readable = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return `${readable === '' ? 'organization' : readable}-${randomBytes(5).toString('hex')}`;
}

/** Creates an organization and the owner's membership in one statement. */
export async function createOrganization(sql: Sql, ownerId: string, name: string): Promise<OrganizationRow> {
  const [row] = await sql.query<OrganizationRow>(
    `WITH o AS (INSERT INTO organizations (name, slug) VALUES ($2, $3) RETURNING *),
          m AS (INSERT INTO memberships (user_id, organization_id, role) SELECT $1, o.id, 'owner' FROM o)
     SELECT o.id, o.name, o.slug, o.domain, o.is_active AS "isActive", o.created_at AS "createdAt" FROM o`,
    [ownerId, name, buildSlug(name)],
  );
  if (row === undefined) throw new Error('the new organization was not returned');
  return row;
}
