/** GET /credentials/{credential_id}/tools: the tools of a credential's MCP server, read from the server. */
import type { Scope } from '../../access/caller.ts';
import { notFound, refuseWith, unavailable } from '../../../base/errors.ts';
import { Accounts } from '../node-credentials.ts';
import { RenewingVault } from '../vault/renewing-vault.ts';
import { Secrets } from '../vault/secrets.ts';
import { Vault } from '../vault/vault.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';
import { listMcpTools } from '../../outbound/mcp.ts';
import { findCredential, type CredentialDeps } from './service.ts';

/** A user waits for the response. */
const TIMEOUT_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;

/** Maps failures of the MCP server to 502 and 503, without secrets that the server may repeat. */
function toApiError(error: unknown, secrets: Secrets): unknown {
  if (!(error instanceof NodeError)) return error;
  const detail = secrets.text(error.message);
  return error.retryable
    ? unavailable('mcp_server_unavailable', detail, RETRY_AFTER_SECONDS)
    : refuseWith(502, 'mcp_server_failed', detail);
}

/**
 * Lists the tools of the server of an MCP credential.
 * @throws ApiError 404, also for a credential of another integration than `mcp`; 502 and 503 when the server fails
 */
export async function listTools(deps: CredentialDeps, scope: Scope, credentialId: string): Promise<object> {
  const row = await findCredential(deps, scope, credentialId);
  if (row.integration !== 'mcp') throw notFound('MCP server of this credential', 'mcp_server');
  const secrets = new Secrets();
  const accounts = new Accounts(new RenewingVault(new Vault(deps), deps), secrets);
  const guarded = createGuardedAgent(deps.config.outboundAllow, { keepAlive: false });
  try {
    const tools = await listMcpTools(
      { agent: guarded, accounts },
      {
        serverUrl: null,
        credential: { organizationId: row.organizationId, credentialId },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
    );
    const shown = tools.map(({ name, description, inputSchema }) => ({
      name: secrets.text(name),
      description: secrets.text(description),
      input_schema: secrets.json(inputSchema),
    }));
    return { tools: shown, total: shown.length };
  } catch (error) {
    throw toApiError(error, secrets);
  } finally {
    await guarded.agent.destroy();
  }
}
