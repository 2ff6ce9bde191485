/** The operator's health report: what the service depends on, asked now (SPEC API-probes). */
import { VERSION } from '../../config/config.ts';
import type { Db } from '../../db/client.ts';
import type { RunEngine } from '../../runs/engine.ts';
import type { KeySet } from '../../access/jwt.ts';
import type { Logger } from '../../log.ts';

type Status = 'healthy' | 'warning' | 'unhealthy';
interface Check {
  readonly status: Status;
  readonly message: string;
}

export interface HealthDeps {
  readonly db: Db;
  readonly engine: RunEngine;
  readonly keySet: KeySet;
  readonly log: Logger;
}

/** No execution has it: Temporal answers NOT_FOUND, and has answered. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

const KEY_SET_CHECKS: Readonly<Record<Awaited<ReturnType<HealthDeps['keySet']['state']>>, Check>> = {
  ready: { status: 'healthy', message: 'the key set is loaded' },
  stale: { status: 'warning', message: 'the key set cannot be renewed; the last one is used' },
  unconfigured: { status: 'warning', message: 'no identity provider is configured; every JWT is refused' },
  unreachable: { status: 'unhealthy', message: 'the key set cannot be loaded; every JWT is refused' },
};

async function reached(deps: HealthDeps, name: string, ask: () => Promise<unknown>): Promise<Check> {
  try {
    await ask();
    return { status: 'healthy', message: `${name} answers` };
  } catch (error) {
    // The report names no address and no cause: those are in the log.
    deps.log.warn({ err: error, check: name }, 'health check failed');
    return { status: 'unhealthy', message: `${name} does not answer` };
  }
}

/** "any failing check makes it unhealthy, any warning makes it warning" */
function overall(checks: readonly Check[]): Status {
  if (checks.some((check) => check.status === 'unhealthy')) return 'unhealthy';
  return checks.some((check) => check.status === 'warning') ? 'warning' : 'healthy';
}

/** Asks everything at once; never throws. */
export async function healthReport(deps: HealthDeps): Promise<object> {
  const [database, temporal, keySet] = await Promise.all([
    reached(deps, 'database', () => deps.db.query('SELECT 1')),
    reached(deps, 'temporal', () => deps.engine.describe({ organizationId: NOBODY, rootRunPk: NOBODY })),
    deps.keySet.state(),
  ]);
  const checks = { database, temporal, identity_provider: KEY_SET_CHECKS[keySet] };
  return {
    overall: overall(Object.values(checks)),
    checks,
    version: VERSION,
    timestamp: new Date().toISOString(),
  };
}
