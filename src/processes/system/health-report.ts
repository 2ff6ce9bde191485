/** The operator's health report: checks the dependencies of the service (SPEC API-probes). */
import { systemClock } from '../../base/clock.ts';
import { VERSION } from '../../base/config/config.ts';
import type { Db } from '../../base/db/client.ts';
import type { RunEngine } from '../../engine/runs/engine.ts';
import type { KeySet } from '../../platform/access/jwt.ts';
import type { Logger } from '../../base/log.ts';

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

/** No workflow execution has this id; Temporal's NOT_FOUND shows that it responds. */
const NO_RUN = '00000000-0000-0000-0000-000000000000';

const KEY_SET_CHECKS: Readonly<Record<Awaited<ReturnType<HealthDeps['keySet']['state']>>, Check>> = {
  ready: { status: 'healthy', message: 'the key set is loaded' },
  stale: { status: 'warning', message: 'the key set cannot be renewed; the last one is used' },
  unconfigured: { status: 'warning', message: 'no identity provider is configured; every JWT is refused' },
  unreachable: { status: 'unhealthy', message: 'the key set cannot be loaded; every JWT is refused' },
};

async function checkReachable(deps: HealthDeps, name: string, probe: () => Promise<unknown>): Promise<Check> {
  try {
    await probe();
    return { status: 'healthy', message: `${name} answers` };
  } catch (error) {
    // Addresses and causes are in the log, not in the report.
    deps.log.warn({ err: error, check: name }, 'health check failed');
    return { status: 'unhealthy', message: `${name} does not answer` };
  }
}

/** "any failing check makes it unhealthy, any warning makes it warning" */
function combineStatuses(checks: readonly Check[]): Status {
  if (checks.some((check) => check.status === 'unhealthy')) return 'unhealthy';
  return checks.some((check) => check.status === 'warning') ? 'warning' : 'healthy';
}

/** Runs all checks concurrently; never throws. */
export async function readHealthReport(deps: HealthDeps): Promise<object> {
  const [database, temporal, keySet] = await Promise.all([
    checkReachable(deps, 'database', () => deps.db.query('SELECT 1')),
    checkReachable(deps, 'temporal', () =>
      deps.engine.describe({ organizationId: NO_RUN, rootRunPk: NO_RUN }),
    ),
    deps.keySet.state(),
  ]);
  const checks = { database, temporal, identity_provider: KEY_SET_CHECKS[keySet] };
  return {
    overall: combineStatuses(Object.values(checks)),
    checks,
    version: VERSION,
    timestamp: new Date(systemClock.now()).toISOString(),
  };
}
