/** Anthropic: an account for llm nodes. */
import { describeAddress, apiKey } from './auth-schemes.ts';
import type { Integration } from './integration.ts';

/** The version of its API that requests name (Anthropic documentation, "Versions"). */
const VERSION = '2023-06-01';

export const anthropic: Integration = {
  name: 'anthropic',
  displayName: 'Anthropic',
  description: 'Claude models on your own account.',
  version: '1.0.0',
  category: 'ai',
  docsUrl: 'https://docs.anthropic.com',
  tags: ['llm'],
  baseUrl: 'https://api.anthropic.com/v1',
  baseUrlField: 'base_url',
  auth: [
    apiKey(
      { kind: 'header', name: 'x-api-key', field: 'api_key' },
      { base_url: describeAddress('Base URL') },
    ),
  ],
  actions: [],
  test: { path: '/models', headers: { 'anthropic-version': VERSION } },
};
