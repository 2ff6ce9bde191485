/**
 * Tells the namespace of Temporal that has the executions of this database's runs from any other, such as that of a server which was
 * set up anew: there every run would look lost, and every waiting one would be cancelled.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Sql } from '../../../base/db/client.ts';
import { TemporalUnavailable } from '../../../base/errors.ts';
import type { OutboxHandler } from '../../../platform/outbox/outbox.ts';
import type { RunEngine, TemporalNamespace } from '../engine.ts';
import { noteNamespace, replaceNamespace, type KnownNamespace } from '../ledger/write/temporal-namespace.ts';

/**
 * How long a confirmed namespace is trusted: each start would otherwise cost a second call to Temporal. A conclusion from a missing
 * execution must not trust it, because a server may be replaced meanwhile.
 */
const VALID_MS = 30_000;

interface GuardDeps {
  readonly db: Sql;
  readonly engine: Pick<RunEngine, 'readNamespace'>;
  readonly clock: Clock;
}

/** The runs of this database are executed in another namespace. */
export class ForeignNamespace extends TemporalUnavailable {}

const explain = (found: TemporalNamespace, known: KnownNamespace): string =>
  `Temporal's namespace "${found.name}" (id ${found.namespaceId}) is not the one that executes the runs of this database: ` +
  `"${known.name}" (id ${known.namespaceId}), known since ${known.notedAt.toISOString()}. ` +
  'Set TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE to that one. If it is gone for good, run `npm run admin -- temporal:adopt` ' +
  '(in the image: `node dist/src/processes/admin.js temporal:adopt`): ' +
  'workers then start with the new namespace, and end the runs that are executed nowhere.';

export class NamespaceGuard {
  readonly #deps: GuardDeps;
  #validUntilMs = -Infinity;

  constructor(deps: GuardDeps) {
    this.#deps = deps;
  }

  /**
   * Requires that Temporal executes the runs of this database. A server that may not tell its identity passes.
   * @throws ForeignNamespace that says what to do; TemporalUnavailable
   */
  async require(): Promise<void> {
    if (this.#deps.clock.monotonic() >= this.#validUntilMs) await this.requireNow();
  }

  /**
   * Requires it of the server that answers now: after an execution was missing, and before a run is ended for that.
   * @throws as require
   */
  async requireNow(): Promise<void> {
    const { db, engine, clock } = this.#deps;
    this.#validUntilMs = -Infinity;
    const found = await engine.readNamespace();
    if (found !== null) {
      const known = await noteNamespace(db, found);
      if (known !== null && known.namespaceId !== found.namespaceId)
        throw new ForeignNamespace(explain(found, known));
    }
    this.#validUntilMs = clock.monotonic() + VALID_MS;
  }

  /**
   * Returns a handler that delivers and compares only in the namespace of this database: in another one each schedule would look
   * lost and begin to fire, and each ingest would run again.
   */
  wrap(handler: Required<OutboxHandler>): OutboxHandler {
    return {
      deliver: async (entry) => {
        await this.require();
        await handler.deliver(entry);
      },
      reject: (entry, error) => handler.reject(entry, error),
      check: async () => {
        await this.requireNow();
        await handler.check();
      },
    };
  }
}

/** Makes the present namespace that of this database. @returns both; null for one that is not known */
export async function adoptNamespace({ db, engine }: Omit<GuardDeps, 'clock'>): Promise<{
  readonly from: TemporalNamespace | null;
  readonly to: TemporalNamespace | null;
}> {
  const to = await engine.readNamespace();
  if (to === null) return { from: null, to };
  const from = await noteNamespace(db, to);
  await replaceNamespace(db, to);
  return { from, to };
}
