/** The embedding port: one call of a provider that speaks OpenAI's protocol, its answer checked before anyone uses it. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/client.ts';
import { storableCount } from '../graph/storable.ts';
import type { Embedded, EmbeddingPort, EmbeddingRequest } from './embedding-port.ts';
import type { Logger } from '../log.ts';
import { abortFailure } from '../nodes/failure.ts';
import { NodeError } from '../nodes/kind.ts';
import type { Secrets } from '../credentials/vault/secrets.ts';
import { Vault } from '../credentials/vault/vault.ts';
import { Accounts } from '../credentials/node-credentials.ts';
import { portOf } from '../outbound/destinations.ts';
import { guardedAgent } from '../outbound/guarded-agent.ts';
import { guardedFetch } from '../outbound/guarded-fetch.ts';
import type { ByteLease } from '../shares/byte-budget.ts';
import { modelFailure } from '../outbound/model-failure.ts';
import type { CredentialPort } from '../outbound/models.ts';

const OPENAI_URL = 'https://api.openai.com/v1';
/** The name under which the SDK takes options of the provider. */
const NAME = 'openai';

interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** The work that a call is made for. */
interface EmbeddingCaller {
  readonly from: CredentialPort;
  readonly lease: ByteLease | null;
}

/** The largest that `real` holds, and the most dimensions that pgvector's `vector` has. */
const MAX_REAL = 3.4028234663852886e38;
const MAX_DIMENSIONS = 16_000;
/** PostgreSQL refuses what is nearer to zero than `real` can say. */
const MIN_REAL = 1.1754943508222875e-38;

const unusable = (what: string): NodeError =>
  new NodeError('provider_response_invalid', `The embedding model ${what}`);

/** @throws NodeError `provider_response_invalid` for anything but one usable vector per text */
function checked(vectors: readonly (readonly number[])[], request: EmbeddingRequest): Embedded['vectors'] {
  const { texts, model } = request;
  if (vectors.length !== texts.length) {
    throw unusable(`answered ${vectors.length} vectors for ${texts.length} texts`);
  }
  const length = model.dimensions ?? vectors[0]?.length ?? 0;
  for (const vector of vectors) {
    if (vector.length === 0 || vector.length !== length) {
      throw unusable(`answered a vector of ${vector.length} dimensions where ${length} were expected`);
    }
    if (vector.length > MAX_DIMENSIONS) {
      throw unusable(`answered a vector of ${vector.length} dimensions, more than ${MAX_DIMENSIONS}`);
    }
    if (!vector.every((item) => Number.isFinite(item) && Math.abs(item) <= MAX_REAL)) {
      throw unusable('answered a vector with something that is no number, or one beyond single precision');
    }
  }
  return vectors.map((vector) => vector.map((item) => (Math.abs(item) < MIN_REAL ? 0 : item)));
}

const hostPort = (url: string): string => `${new URL(url).hostname}:${portOf(new URL(url))}`;

/** Embedding ports over shared connections: one for each piece of work. */
export interface Embeddings {
  /**
   * @param secrets gets every secret that the work opens
   * @param lease counts the bytes of what is answered; null, as if not said: nobody counts them
   */
  embedder(secrets: Secrets, lease?: ByteLease | null): EmbeddingPort;
  close(): Promise<void>;
}

/**
 * Opens the connections to embedding models.
 * @throws NodeError from `embed`: `model_not_configured`, `credential_not_found`, `model_error` (with the provider's
 *   status), `provider_response_invalid`, `response_too_large`, `timeout`
 */
export function openEmbeddings(deps: {
  readonly config: Pick<Config, 'managedEmbedding' | 'outboundAllow' | 'encryptionKeys'>;
  readonly db: Pick<Db, 'query'>;
  readonly log: Logger;
}): Embeddings {
  const { config } = deps;
  const vault = new Vault(deps);
  const tenants = guardedAgent(config.outboundAllow, true);
  const { managedEmbedding } = config;
  // The operator chose the managed endpoint: its own address is exempt from the private-address block, no other is.
  const managed = guardedAgent(managedEmbedding === null ? [] : [hostPort(managedEmbedding.baseUrl)], true);

  const endpointFor = async (
    { organizationId, model }: EmbeddingRequest,
    { from, lease }: EmbeddingCaller,
  ): Promise<Endpoint> => {
    const { credentialId, provider } = model;
    if (credentialId !== null) {
      const found = await from.modelCredential(organizationId, credentialId, provider);
      if (found === null) throw new NodeError('credential_not_found', 'The credential does not exist');
      if (found === 'managed') {
        throw new NodeError('credential_not_usable', 'The credential is no account with embedding models');
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

  const embed = async (request: EmbeddingRequest, caller: EmbeddingCaller): Promise<Embedded> => {
    const endpoint = await endpointFor(request, caller);
    const { dimensions, model } = request.model;
    try {
      const provider = createOpenAICompatible({
        name: NAME,
        baseURL: endpoint.baseUrl,
        ...(endpoint.apiKey === undefined ? {} : { apiKey: endpoint.apiKey }),
        fetch: endpoint.fetch,
      });
      const answer = await provider.embeddingModel(model).doEmbed({
        values: [...request.texts],
        abortSignal: request.signal,
        ...(dimensions === null ? {} : { providerOptions: { [NAME]: { dimensions } } }),
      });
      return { vectors: checked(answer.embeddings, request), tokens: storableCount(answer.usage?.tokens) };
    } catch (error) {
      if (request.signal.aborted) throw abortFailure(request.signal);
      throw modelFailure(error, endpoint.apiKey === undefined ? [] : [endpoint.apiKey]);
    }
  };

  return {
    embedder(secrets, lease = null) {
      const caller = { from: new Accounts(vault, secrets), lease };
      return { embed: (request) => embed(request, caller) };
    },
    async close() {
      await Promise.all([tenants.agent.destroy(), managed.agent.destroy()]);
    },
  };
}
