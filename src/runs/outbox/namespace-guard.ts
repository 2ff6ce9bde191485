/**
 * Tells the namespace of Temporal that has the executions of this database's runs from any other, such as that of a server which was
 * set up anew: there every run would look lost, and every waiting one would be cancelled.
 */
import { systemClock } from '../../clock.ts';
import type { Db } from '../../db/client.ts';
import { TemporalUnavailable } from '../../errors.ts';
import type { RunEngine, TemporalNamespace } from '../engine.ts';

/** A look is good for this long: each start would otherwise cost a second call to Temporal. */
const LOOK_MS = 30_000;

interface GuardDeps {
  readonly db: Pick<Db, 'query'>;
  readonly engine: Pick<RunEngine, 'readNamespace'>;
}

interface KnownNamespace extends TemporalNamespace {
  readonly notedAt: Date;
}

/** Remembers the first namespace. @returns the one that was remembered before; null when this is the first */
async function noteNamespace(
  db: Pick<Db, 'query'>,
  { name, namespaceId }: TemporalNamespace,
): Promise<KnownNamespace | null> {
  const [known] = await db.query<KnownNamespace>(
    `WITH noted AS (INSERT INTO temporal_namespace (name, namespace_id) VALUES ($1, $2) ON CONFLICT DO NOTHING)
     SELECT name, namespace_id AS "namespaceId", noted_at AS "notedAt" FROM temporal_namespace`,
    [name, namespaceId],
  );
  return known ?? null;
}

/** The runs of this database are executed in another namespace. */
export class ForeignNamespace extends TemporalUnavailable {}

const explain = (found: TemporalNamespace, known: KnownNamespace): string =>
  `Temporal's namespace "${found.name}" (id ${found.namespaceId}) is not the one that executes the runs of this database: ` +
  `"${known.name}" (id ${known.namespaceId}), known since ${known.notedAt.toISOString()}. ` +
  'Set TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE to that one. If it is gone for good, run `npm run admin -- temporal:adopt`: ' +
  'workers then start with the new namespace, and end the runs that are executed nowhere.';

export class NamespaceGuard {
  readonly #deps: GuardDeps;
  #goodUntilMs = -Infinity;

  constructor(deps: GuardDeps) {
    this.#deps = deps;
  }

  /**
   * Requires that Temporal executes the runs of this database. A server that may not tell its identity passes.
   * @throws ForeignNamespace that says what to do; TemporalUnavailable
   */
  async require(): Promise<void> {
    if (systemClock.monotonic() < this.#goodUntilMs) return;
    const found = await this.#deps.engine.readNamespace();
    if (found !== null) {
      const known = await noteNamespace(this.#deps.db, found);
      if (known !== null && known.namespaceId !== found.namespaceId)
        throw new ForeignNamespace(explain(found, known));
    }
    this.#goodUntilMs = systemClock.monotonic() + LOOK_MS;
  }
}

/** Makes the present namespace that of this database. @returns both; null for one that is not known */
export async function adoptNamespace({ db, engine }: GuardDeps): Promise<{
  readonly from: TemporalNamespace | null;
  readonly to: TemporalNamespace | null;
}> {
  const to = await engine.readNamespace();
  if (to === null) return { from: null, to };
  const from = await noteNamespace(db, to);
  await db.query('UPDATE temporal_namespace SET name = $1, namespace_id = $2, noted_at = now()', [
    to.name,
    to.namespaceId,
  ]);
  return { from, to };
}
