/** A request to a model: plain text, streamed, with the defaults of the provider. */
import type { ModelRequest } from '../../../src/language/nodes/tools.ts';

export const newModelRequest = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  organizationId: 'o',
  provider: 'openai',
  model: 'm',
  credentialId: 'c',
  messages: [{ role: 'user', content: 'Hi' }],
  temperature: null,
  maxOutputTokens: null,
  reasoningEffort: null,
  responseFormat: null,
  stream: true,
  signal: new AbortController().signal,
  onToken: () => undefined,
  ...more,
});
