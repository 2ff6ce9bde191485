/** Validates the embedding model that a client chooses for a base: the managed one, or one on the organization's account. */
import type { Config } from '../../../base/config/config.ts';
import { type ApiError, invalid, type Issue, refuseWith } from '../../../base/errors.ts';
import { MANAGED_PROVIDER, type EmbeddingConfig } from '../bases.ts';
import type { GivenEmbedding } from './schema.ts';

/** The default provider of an account: any service with OpenAI's protocol. */
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
    throw refuse('credential_id', 'missing', `The provider ${given.provider} requires a credential_id`);
  }
  if (typeof given.model === 'string' && given.model !== managedEmbedding.model) {
    throw refuse('model', 'value_error', `Must be ${managedEmbedding.model}, the managed model`);
  }
  // The model is stored by name, so that a later change of the managed model does not affect old bases.
  const { model } = managedEmbedding;
  return {
    credentialId: null,
    embedding: { provider: MANAGED_PROVIDER, model, dimensions: given.dimensions ?? null },
  };
}

/**
 * Validates a choice.
 * @param named the credential at the top of the body; the config may name it, too
 * @throws ApiError 422 for an invalid choice, 503 without a managed model
 */
export function chooseEmbedding(
  config: Pick<Config, 'managedEmbedding'>,
  given: GivenEmbedding,
  named: string | null,
): EmbeddingChoice {
  const inside = given.credential_id ?? null;
  if (named !== null && inside !== null && named !== inside) {
    throw refuse('credential_id', 'value_error', 'Must be the credential_id of the knowledge base');
  }
  const credentialId = named ?? inside;
  if (credentialId === null) return managedChoice(config, given);
  const provider = given.provider ?? DEFAULT_PROVIDER;
  if (provider === 'anthropic' || provider === MANAGED_PROVIDER) {
    throw refuse('provider', 'value_error', `The provider ${provider} does not support embedding models`);
  }
  if (typeof given.model !== 'string') throw refuse('model', 'missing', 'Field required');
  return {
    credentialId,
    embedding: { provider, model: given.model, dimensions: given.dimensions ?? null },
  };
}
