/**
 * The tour of `npm run demo`: runs the starter workflow through the API, and shows its events, its record and its page in
 * Temporal's UI.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toRunWorkflowId } from '../../../temporal/contract.ts';
import { ApiClient, type StreamedFrame } from './api-client.ts';
import { API_KEY_PREFIX, MAX_KEY_LIMIT, createKey } from '../../platform/access/api-key.ts';
import { findOrCreateUser, type ProvisionDeps } from '../../platform/access/provision.ts';
import { readConfig } from '../../base/config/config.ts';
import { openDb } from '../../base/db/client.ts';
import { createLog } from '../../base/log.ts';
import { createAccountSeeder } from '../../features/accounts/seed-account.ts';
import { readApiKeySecret, readEncryptionKeys, readVariable } from './environment.ts';
import { DEMO_USER } from './demo-user.ts';
import { DATA } from './paths.ts';
import { STAND_IN_MODEL } from './stand-in-model.ts';
import type { PrintLine } from './progress.ts';
import type { LocalSystem } from './system.ts';

export interface Tour {
  readonly organizationId: string;
  readonly apiKey: string;
  readonly workflowId: string;
  /** Whether the run completed. */
  readonly succeeded: boolean;
}

interface Row {
  readonly [field: string]: unknown;
}

const DEMO_TEXT = 'Hello! Is everything running? Write to ada@example.com when it is.';
/** Has no limits: on the free plan, a loop of runs would soon get 429. */
export const DEMO_PLAN = 'enterprise';
const TOUR_KEY = 'Tour of the demo';
const FRAME_WIDTH = 150;

/** @returns the rows of a list response: an array, or the array in an object */
function readRows(answer: unknown): readonly Row[] {
  if (Array.isArray(answer)) return answer as Row[];
  const nested = Object.values((answer ?? {}) as Row).find((value) => Array.isArray(value));
  return (nested ?? []) as Row[];
}

function firstId(rows: readonly Row[], what: string): string {
  const row = rows[0];
  const found = row?.['id'] ?? row?.['organization_id'];
  if (typeof found !== 'string') throw new Error(`the response has no ${what}`);
  return found;
}

/** Fields that every event repeats or that only programs need. */
const HIDDEN_FIELDS = new Set(
  'type seq run_id thread_id timestamp node_id node_name node_type step_id depth output_truncated channel replay'.split(
    ' ',
  ),
);

/** Formats an event as one line: `  3  node_completed  greet  output={"text":"Hi"} duration_ms=4`. */
export function formatFrame(frame: StreamedFrame): string {
  const details = Object.entries(frame)
    .filter(([name, value]) => !HIDDEN_FIELDS.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
  const head = `${String(frame.seq ?? '').padStart(4)}  ${frame.type.padEnd(16)} ${(frame.node_id ?? '').padEnd(12)}`;
  const line = `${head} ${details}`.trimEnd();
  return line.length > FRAME_WIDTH ? `${line.slice(0, FRAME_WIDTH - 1)}…` : line;
}

/** Builds the URL of a run in Temporal's UI. */
export function buildTemporalLink(
  uiUrl: string,
  namespace: string,
  { organizationId, runPk }: { readonly organizationId: string; readonly runPk: string },
): string {
  const workflowId = encodeURIComponent(toRunWorkflowId(organizationId, runPk));
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${workflowId}`;
}

const matchesHint = (hint: unknown, key: string): boolean =>
  typeof hint === 'string' && key.startsWith(`${API_KEY_PREFIX}${hint}`);

/** Reuses the key of an earlier demo while it is valid, because a user may have at most ten. */
async function findOrCreateApiKey(user: ApiClient, organizationId: string): Promise<string> {
  const file = join(DATA, 'demo-api-key');
  if (existsSync(file)) {
    const stored = readFileSync(file, 'utf8').trim();
    const keys = readRows(await user.call('GET', '/api-keys'));
    const record = keys.find((row) => row['is_active'] === true && matchesHint(row['key_hint'], stored));
    if (record?.['rate_limit_per_minute'] === MAX_KEY_LIMIT) return stored;
    if (record !== undefined) await user.call('DELETE', `/api-keys/${String(record['id'])}`);
  }
  const created = (await user.call('POST', '/api-keys', {
    name: 'demo',
    organization_id: organizationId,
    rate_limit_per_minute: MAX_KEY_LIMIT,
  })) as Row;
  const key = String(created['key']);
  writeFileSync(file, key, { mode: 0o600 });
  return key;
}

async function followRun(user: ApiClient, runId: string, say: PrintLine): Promise<StreamedFrame | undefined> {
  say(`GET /workflows/listen/${runId}`);
  let last: StreamedFrame | undefined;
  for await (const frame of user.listen(`/workflows/listen/${runId}`)) {
    say(formatFrame(frame));
    last = frame;
  }
  return last;
}

/**
 * Creates a key of the demo's user in the database, as the operator's CLI does, because nothing here can sign tokens of a
 * configured identity provider. Keys of earlier tours are revoked.
 */
async function createDemoKey(databaseUrl: string): Promise<string> {
  const db = openDb(databaseUrl, 1);
  try {
    const config = readConfig({
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS: readEncryptionKeys(),
      MANAGED_LLM_BASE_URL: readVariable('MANAGED_LLM_BASE_URL') ?? 'http://127.0.0.1/v1',
      MANAGED_LLM_MODEL: readVariable('MANAGED_LLM_MODEL') ?? STAND_IN_MODEL,
    });
    const seedAccount = createAccountSeeder({ db, config, log: createLog('silent', 'demo') });
    const deps: ProvisionDeps = { db, seedAccount };
    const { sub: subject, email } = DEMO_USER;
    const claims = { subject, email, isEmailVerified: false, sessionId: null, role: null };
    const { userId } = await findOrCreateUser(deps, claims);
    await db.query(
      `UPDATE api_keys SET is_active = false, revoked_at = now() WHERE user_id = $1 AND name = $2`,
      [userId, TOUR_KEY],
    );
    return await createKey(db, readApiKeySecret(), {
      userId,
      name: TOUR_KEY,
      organizationId: null,
      rateLimitPerMinute: MAX_KEY_LIMIT,
    });
  } finally {
    await db.close();
  }
}

/** Gives the demo's organization the plan without limits, as the operator's `org:set` does. */
async function setDemoPlan({ databaseUrl }: LocalSystem, organizationId: string): Promise<void> {
  const db = openDb(databaseUrl, 1);
  try {
    await db.query('UPDATE organizations SET plan = $2 WHERE id = $1', [organizationId, DEMO_PLAN]);
  } finally {
    await db.close();
  }
}

/**
 * Signs in, runs the starter workflow, follows it, and looks it up in the history.
 * @throws UnexpectedAnswer when a request fails
 */
export async function takeTour(system: LocalSystem, say: PrintLine): Promise<Tour> {
  const azp = system.appUrl;
  const token =
    system.issuer === null
      ? await createDemoKey(system.databaseUrl)
      : await system.issuer.mint({ ...DEMO_USER, azp });
  const signedIn = new ApiClient(system.apiUrl, token);
  const organizations = readRows(await signedIn.call('GET', '/auth/me/organizations'));
  const organizationId = firstId(organizations, 'organization');
  say(`GET /auth/me/organizations: ${String(organizations[0]?.['name'])} (${organizationId})`);
  await setDemoPlan(system, organizationId);
  const user = new ApiClient(system.apiUrl, token, organizationId);

  const workflows = readRows(await user.call('GET', '/workflows'));
  const starter = workflows.filter((row) => /starter/i.test(String(row['name'])));
  const workflowId = firstId([...starter, ...workflows], 'workflow');
  const name = String((starter[0] ?? workflows[0])?.['name']);
  say(`GET /workflows: ${workflows.length}, the starter is "${name}" (${workflowId})`);

  const started = (await user.call('POST', '/workflows/run', {
    workflow_id: workflowId,
    input: { text: DEMO_TEXT },
  })) as Row;
  const runId = String(started['run_id']);
  say(
    `POST /workflows/run: ${String(started['status'])}, run_id ${runId}, ${String(started['elapsed_ms'])} ms`,
  );
  const last = await followRun(user, runId, say);

  const history = readRows(await user.call('GET', '/workflow-runs?limit=20'));
  const row = history.find((candidate) => candidate['run_id'] === runId);
  say(`GET /workflow-runs: ${JSON.stringify(row)}`);
  const runPk = String(row?.['id']);
  const { temporalUiUrl, temporalNamespace } = system;
  if (temporalUiUrl !== null && row !== undefined) {
    say(`in Temporal: ${buildTemporalLink(temporalUiUrl, temporalNamespace, { organizationId, runPk })}`);
  }
  const apiKey = await findOrCreateApiKey(user, organizationId);
  const succeeded = last?.type === 'run_completed' && row?.['status'] === 'succeeded';
  return { organizationId, apiKey, workflowId, succeeded };
}
