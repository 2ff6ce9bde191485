/** OpenAI, and every endpoint that speaks its protocol: an account for llm nodes. */
import { describeAddress, apiKey } from './auth-schemes.ts';
import type { Integration } from './integration.ts';

export const openai: Integration = {
  name: 'openai',
  displayName: 'OpenAI',
  description: 'Models of OpenAI or of any endpoint that speaks its protocol, on your own account.',
  version: '1.0.0',
  category: 'ai',
  docsUrl: 'https://platform.openai.com/docs',
  tags: ['llm', 'embeddings'],
  baseUrl: 'https://api.openai.com/v1',
  baseUrlField: 'base_url',
  auth: [apiKey({ kind: 'bearer', field: 'api_key' }, { base_url: describeAddress('Base URL') })],
  actions: [],
  test: { path: '/models', headers: {} },
};
