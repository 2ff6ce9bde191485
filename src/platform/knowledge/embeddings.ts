/** Implements the embedding port in OpenAI's protocol, with an account of the organization or the managed one. */
import type { Config } from '../../base/config/config.ts';
import type { Db } from '../../base/db/client.ts';
import { EmbeddingBatches } from './embedding-batches.ts';
import type { EmbeddingEndpoint } from './embedding-call.ts';
import type { EmbeddingResult, EmbeddingPort, EmbeddingRequest } from './embedding-port.ts';
import type { Logger } from '../../base/log.ts';
import { toAbortError } from '../../language/nodes/failure.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { Secrets } from '../credentials/vault/secrets.ts';
import { Vault } from '../credentials/vault/vault.ts';
import { Accounts } from '../credentials/node-credentials.ts';
import { toHostPort } from '../outbound/destinations.ts';
import { createGuardedAgent } from '../outbound/guarded-agent.ts';
import { guardedFetch } from '../outbound/guarded-fetch.ts';
import type { ByteLease } from '../../base/shares/byte-budget.ts';
import { toModelFailure } from '../outbound/model-failure.ts';
import { OPENAI_URL, type CredentialPort } from '../outbound/models.ts';

interface EmbeddingCaller {
  readonly credentials: CredentialPort;
  /** Counts the bytes of responses; null: not counted. */
  readonly lease: ByteLease | null;
}

/** Shared connections to embedding models. */
interface Embeddings {
  /**
   * Creates the port of one caller.
   * @param secrets receives every opened secret
   * @param lease counts the bytes of responses; null (the default): not counted
   */
  createEmbedder(secrets: Secrets, lease?: ByteLease | null): EmbeddingPort;
  close(): Promise<void>;
}

/**
 * Opens the connections to embedding models.
 * @throws NodeError from `embed`: `model_not_configured`, `model_error` (with the provider's status), `provider_response_invalid`,
 *   `response_too_large`, `timeout`, and for a credential `credential_not_found`, `_not_usable`, `_revoked`, `_expired`, `_unreadable`
 */
export function openEmbeddings(deps: {
  readonly config: Pick<Config, 'managedEmbedding' | 'outboundAllow' | 'encryptionKeys'>;
  readonly db: Pick<Db, 'query'>;
  readonly log: Logger;
}): Embeddings {
  const { config } = deps;
  const vault = new Vault(deps);
  const tenants = createGuardedAgent(config.outboundAllow, { keepAlive: true });
  const { managedEmbedding } = config;
  // The operator chose the managed endpoint, so its address alone is exempt from the private-address block.
  const managed = createGuardedAgent(
    managedEmbedding === null ? [] : [toHostPort(managedEmbedding.baseUrl)],
    {
      keepAlive: true,
    },
  );
  const batches = new EmbeddingBatches();

  const findEndpoint = async (
    { organizationId, model }: EmbeddingRequest,
    { credentials, lease }: EmbeddingCaller,
  ): Promise<EmbeddingEndpoint> => {
    const { credentialId, provider } = model;
    if (credentialId !== null) {
      const found = await credentials.modelCredential(organizationId, credentialId, provider);
      if (found === null) throw new NodeError('credential_not_found', 'The credential does not exist');
      if (found === 'managed') {
        throw new NodeError(
          'credential_not_usable',
          'The provider of the credential has no embedding models',
        );
      }
      return {
        apiKey: found.apiKey,
        baseUrl: found.baseUrl ?? OPENAI_URL,
        fetch: guardedFetch(tenants, { lease }),
      };
    }
    if (managedEmbedding === null) {
      throw new NodeError('model_not_configured', 'No managed embedding model is configured');
    }
    const { baseUrl, apiKey } = managedEmbedding;
    return { baseUrl, apiKey, fetch: guardedFetch(managed, { lease }) };
  };

  const embed = async (request: EmbeddingRequest, caller: EmbeddingCaller): Promise<EmbeddingResult> => {
    const endpoint = await findEndpoint(request, caller);
    try {
      return await batches.embedFirst(endpoint, request);
    } catch (error) {
      if (request.signal.aborted) throw toAbortError(request.signal);
      const secrets = endpoint.apiKey === undefined ? [] : [endpoint.apiKey];
      throw toModelFailure(error, secrets, request.model.credentialId !== null);
    }
  };

  return {
    createEmbedder(secrets, lease = null) {
      const caller = { credentials: new Accounts(vault, secrets), lease };
      return { embed: (request) => embed(request, caller) };
    },
    async close() {
      await Promise.all([tenants.agent.destroy(), managed.agent.destroy()]);
    },
  };
}
