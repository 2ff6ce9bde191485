/** ElevenLabs: voices and speech. */
import { describeCatalogAction } from './actions.ts';
import { apiKey } from './auth-schemes.ts';
import type { Integration } from './integration.ts';
import { tooMany } from './service-rules.ts';

export const elevenlabs: Integration = {
  name: 'elevenlabs',
  displayName: 'ElevenLabs',
  description: 'Turns text into speech.',
  version: '1.0.0',
  category: 'ai',
  docsUrl: 'https://elevenlabs.io/docs/api-reference',
  tags: ['speech', 'audio'],
  baseUrl: 'https://api.elevenlabs.io/v1',
  baseUrlField: null,
  auth: [apiKey({ kind: 'header', name: 'xi-api-key', field: 'api_key' })],
  actions: [
    describeCatalogAction({
      name: 'text_to_speech',
      displayName: 'Text to speech',
      description: 'Speaks a text; the answer is audio.',
      method: 'POST',
      path: '/text-to-speech/{voice_id}',
      input: {
        voice_id: { type: 'string', minLength: 1, maxLength: 64 },
        text: { type: 'string', minLength: 1, maxLength: 40_000 },
        model_id: { type: 'string' },
        output_format: { type: 'string' },
      },
      required: ['voice_id', 'text'],
      query: ['output_format'],
      output: {},
    }),
    describeCatalogAction({
      name: 'list_voices',
      displayName: 'List voices',
      description: 'Lists the voices of the account.',
      method: 'GET',
      path: '/voices',
      input: {},
      required: [],
      output: { voices: { type: 'array', items: { type: 'object' } } },
    }),
    describeCatalogAction({
      name: 'list_models',
      displayName: 'List models',
      description: 'Lists the models.',
      method: 'GET',
      path: '/models',
      input: {},
      required: [],
      output: {},
    }),
  ],
  // More requests at once than the plan has, or a busy service; neither says how long.
  answers: { declines: [tooMany()] },
  test: { path: '/user', headers: {} },
};
