/** POST /credentials/{credential_id}/test: one harmless request with the credential, through the guarded ports. */
import { systemClock } from '../../../base/clock.ts';
import type { Scope } from '../../access/caller.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import type { CredentialRef } from '../../../language/nodes/tools.ts';
import { accountHttp } from '../account-http.ts';
import { Accounts } from '../node-credentials.ts';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';
import { guardedHttp } from '../../outbound/guarded-http.ts';
import { listMcpTools } from '../../outbound/mcp.ts';
import { RenewingVault } from '../vault/renewing-vault.ts';
import { Secrets } from '../vault/secrets.ts';
import { Vault } from '../vault/vault.ts';
import { findCredential, type CredentialDeps } from './service.ts';
import type { CredentialRow } from './store.ts';

/** A user waits for the response. */
const TIMEOUT_MS = 15_000;

/** `verdict` is null when the test says nothing about the credential. */
interface Finding {
  readonly verdict: 'active' | 'error' | null;
  readonly message: string;
}

function toFinding(status: number): Finding {
  if (status >= 200 && status < 300) return { verdict: 'active', message: 'The credential works' };
  if (status === 401 || status === 403) {
    return { verdict: 'error', message: `The service rejected the credential (HTTP ${status})` };
  }
  return { verdict: null, message: `The service responded with HTTP ${status}` };
}

/** Lists the tools of an MCP server, a request without effects. */
async function testMcpServer(
  outside: Parameters<typeof listMcpTools>[0],
  credential: CredentialRef,
): Promise<Finding> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await listMcpTools(outside, { serverUrl: null, credential, signal });
    return toFinding(200);
  } catch (error) {
    if (error instanceof NodeError && error.status !== null) return toFinding(error.status);
    throw error;
  }
}

async function sendTestRequest(deps: CredentialDeps, row: CredentialRow): Promise<Finding> {
  const ref = { organizationId: row.organizationId, credentialId: row.id };
  const secrets = new Secrets();
  const accounts = new Accounts(new RenewingVault(new Vault(deps), deps), secrets);
  const guarded = createGuardedAgent(deps.config.outboundAllow, { keepAlive: false });
  try {
    if (row.integration === 'mcp') return await testMcpServer({ agent: guarded, accounts }, ref);
    const { baseUrl, test } = await accounts.open(ref);
    if (test === null || baseUrl === null) {
      return {
        verdict: null,
        message: 'The credential is stored correctly. This integration has no test request',
      };
    }
    const { status } = await accountHttp(guardedHttp(guarded), accounts).send({
      method: 'GET',
      url: `${baseUrl}${test.path}`,
      headers: test.headers,
      body: null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      credential: ref,
      mayRepeat: true,
    });
    return toFinding(status);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const message = secrets.text(error.message);
    return { verdict: error.code === 'credential_unreadable' ? 'error' : null, message };
  } finally {
    await guarded.agent.destroy();
  }
}

interface TestResult {
  readonly success: boolean;
  readonly message: string;
  readonly row: CredentialRow;
}

/**
 * Tests a credential and stores the result. Only a refusal by the service sets the status `error`; a network failure does not.
 * @throws ApiError 404
 */
export async function tryCredential(
  deps: CredentialDeps,
  scope: Scope,
  credentialId: string,
): Promise<TestResult> {
  const before = await findCredential(deps, scope, credentialId);
  const { verdict, message } = await sendTestRequest(deps, before);
  const found =
    verdict === null ? {} : { status: verdict, statusMessage: verdict === 'error' ? message : null };
  await deps.db.prisma.credential.updateMany({
    where: { id: before.id, organizationId: before.organizationId, status: { not: 'revoked' } },
    data: { ...found, lastTestedAt: new Date(systemClock.now()) },
  });
  const row = await findCredential(deps, scope, credentialId);
  return { success: verdict === 'active', message, row };
}
