/** Who embeds for a base, as a client chooses it: the managed model, or one on an account of the organization. */
import type { Config } from '../../config/config.ts';
import { type ApiError, invalid, type Issue, refuseWith } from '../../errors.ts';
import { MANAGED_PROVIDER, type EmbeddingConfig } from '../../knowledge/bases.ts';
import type { GivenEmbedding } from './schema.ts';

/** The provider of an account when none is named; any service that speaks OpenAI's protocol is one. */
const DEFAULT_PROVIDER = 'openai';

export interface EmbeddingChoice {
  readonly credentialId: string | null;
  readonly embedding: EmbeddingConfig;
}

const refuse = (field: string, type: string, msg: string): ApiError => {
  const issue: Issue = { loc: ['body', 'embedding_config', field], msg, type };
  return invalid([issue]);
};

function managedChoice(config: Pick<Config, 'managedEmbedding'>, given: GivenEmbedding): EmbeddingChoice {
  const { managedEmbedding } = config;
  if (managedEmbedding === null) {
    const detail = 'No managed embedding model is configured (MANAGED_EMBEDDING_BASE_URL): name a credential';
    throw refuseWith(503, 'embedding_not_configured', detail);
  }
  if (typeof given.provider === 'string' && given.provider !== MANAGED_PROVIDER) {
    throw refuse('credential_id', 'missing', `The provider ${given.provider} needs a credential_id`);
  }
  if (typeof given.model === 'string' && given.model !== managedEmbedding.model) {
    throw refuse('model', 'value_error', `The managed model is ${managedEmbedding.model}`);
  }
  // Kept by name: a deployment that changes its model later goes on embedding old bases as they are.
  const { model } = managedEmbedding;
  return {
    credentialId: null,
    embedding: { provider: MANAGED_PROVIDER, model, dimensions: given.dimensions ?? null },
  };
}

/**
 * Reads a choice.
 * @param named the credential at the top of the body; it may be in the config, too
 * @throws ApiError 422 for a choice that cannot be, 503 where nothing is managed
 */
export function chooseEmbedding(
  config: Pick<Config, 'managedEmbedding'>,
  given: GivenEmbedding,
  named: string | null,
): EmbeddingChoice {
  const inside = given.credential_id ?? null;
  if (named !== null && inside !== null && named !== inside) {
    throw refuse('credential_id', 'value_error', 'Should be the credential_id of the knowledge base');
  }
  const credentialId = named ?? inside;
  if (credentialId === null) return managedChoice(config, given);
  const provider = given.provider ?? DEFAULT_PROVIDER;
  if (provider === 'anthropic' || provider === MANAGED_PROVIDER) {
    throw refuse('provider', 'value_error', `The provider ${provider} has no embedding models for accounts`);
  }
  if (typeof given.model !== 'string') throw refuse('model', 'missing', 'Field required');
  return {
    credentialId,
    embedding: { provider, model: given.model, dimensions: given.dimensions ?? null },
  };
}
