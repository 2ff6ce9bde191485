/** Saves filters of the history of runs, which the people of an organization share. */
import type { Clock } from '../../base/clock.ts';
import type { Db } from '../../base/db/client.ts';
import type { RunFilter } from '../../base/db/generated/client.ts';
import { limitReached, notFound } from '../../base/errors.ts';
import type { Scope } from '../../platform/access/caller.ts';

export interface RunFilterDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Parameters of the list of runs, as in its address. */
type FilterQuery = Readonly<Record<string, string | undefined>>;
/** As it is stored: JSON has no place for what is undefined. */
const toJson = (query: FilterQuery): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** A list that people choose from; a guess. */
const MAX_FILTERS = 200;

/** @throws ApiError 409 at the limit */
export async function createFilter(
  { db }: RunFilterDeps,
  { organizationId, caller }: Scope,
  { name, query }: { readonly name: string; readonly query: FilterQuery },
): Promise<RunFilter> {
  return db.prisma.$transaction(async (tx) => {
    // The lock makes concurrent creations count one another.
    await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
    if ((await tx.runFilter.count({ where: { organizationId } })) >= MAX_FILTERS)
      throw limitReached(MAX_FILTERS, 'run filter');
    return tx.runFilter.create({
      data: { organizationId, name, query: toJson(query), createdBy: caller.userId },
    });
  });
}

/** Lists the filters of the organization, by name. */
export const listFilters = ({ db }: RunFilterDeps, { organizationId }: Scope): Promise<RunFilter[]> =>
  db.prisma.runFilter.findMany({ where: { organizationId }, orderBy: [{ name: 'asc' }, { id: 'asc' }] });

/** @throws ApiError 404 */
export async function getFilter(
  { db }: RunFilterDeps,
  { organizationId }: Scope,
  id: string,
): Promise<RunFilter> {
  const row = await db.prisma.runFilter.findFirst({ where: { id, organizationId } });
  if (row === null) throw notFound('Run filter');
  return row;
}

/** Changes the supplied fields. @throws ApiError 404 */
export async function changeFilter(
  deps: RunFilterDeps,
  scope: Scope,
  {
    id,
    name,
    query,
  }: { readonly id: string; readonly name?: string | undefined; readonly query?: FilterQuery | undefined },
): Promise<RunFilter> {
  const before = await getFilter(deps, scope, id);
  return deps.db.prisma.runFilter.update({
    where: { id, organizationId: scope.organizationId },
    data: {
      name: name ?? before.name,
      ...(query === undefined ? {} : { query: toJson(query) }),
      updatedAt: new Date(deps.clock.now()),
    },
  });
}

/** @throws ApiError 404 */
export async function deleteFilter(
  { db }: RunFilterDeps,
  { organizationId }: Scope,
  id: string,
): Promise<void> {
  const { count } = await db.prisma.runFilter.deleteMany({ where: { id, organizationId } });
  if (count === 0) throw notFound('Run filter');
}
