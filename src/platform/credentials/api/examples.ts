/** Examples of credentials, and of the integrations that they are for: the example integration is an entry of the catalog. */
import type { RowExamples } from '../../http/route.ts';
import { integrations } from '../../../language/nodes/integrations/catalog.ts';
import { presentType } from './own-types/routes.ts';
import { presentIntegration, presentIntegrationSummary } from './integrations/present.ts';
import { AT, IDS, LATER } from '../../http/docs/example-ids.ts';

const credential = {
  credential_id: IDS.credential,
  organization_id: IDS.organization,
  name: 'Our OpenAI account',
  integration: 'openai',
  auth_type: 'api_key',
  scope: 'organization',
  status: 'active',
  status_message: null,
  masked: { api_key: '****9f2c' },
  scopes: [],
  allowed_hosts: ['api.openai.com'],
  expires_at: null,
  last_used_at: AT,
  last_tested_at: null,
  created_by: IDS.user,
  created_at: AT,
  updated_at: AT,
};
const data = { api_key: 'sk-<your key>' };
const exampleIntegrations = integrations
  .filter(({ name }) => name === 'openai')
  .map((entry) => ({
    ...entry,
    docsUrl: 'https://company.example/docs',
    baseUrl: 'https://company.example/v1',
  }));

const exampleType = presentType({
  id: '5d1c7a52-9b0e-4c3f-8a6d-2e4f6a8c0b1d',
  organizationId: IDS.organization,
  name: 'custom-weather',
  displayName: 'Weather',
  description: '',
  baseUrl: 'https://company.example/v2',
  allowedHosts: [],
  auth: {
    type: 'key',
    fields: [{ name: 'api_key', title: 'API key', secret: true, required: true }],
    placements: [{ in: 'header', name: 'Weather-Key', field: 'api_key', prefix: 'Token ' }],
  },
  test: { path: '/me' },
  createdBy: IDS.user,
  createdAt: new Date(AT),
  updatedAt: new Date(AT),
});

export const CREDENTIAL_EXAMPLES: RowExamples = {
  'POST /credentials': {
    request: { name: 'Our OpenAI account', integration: 'openai', auth_type: 'api_key', data },
    replies: { 201: { ...credential, last_used_at: null } },
  },
  'GET /credentials': { replies: { 200: { credentials: [credential], total: 1 } } },
  'POST /credentials/oauth/start': {
    request: { integration: 'github', name: 'Our GitHub' },
    replies: {
      200: {
        authorization_url: 'https://company.example/login/oauth/authorize?response_type=code&state=Xr1',
        state: 'Xr1',
        expires_at: LATER,
      },
    },
  },
  'POST /credentials/oauth/callback': {
    request: { state: 'Xr1', code: '4f9d' },
    replies: {
      201: {
        ...credential,
        name: 'Our GitHub',
        integration: 'github',
        auth_type: 'oauth2',
        masked: { access_token: '****0123' },
        scopes: ['repo'],
        allowed_hosts: ['api.github.com'],
        last_used_at: null,
      },
      400: { detail: 'The authorization has expired or was already used. Start again' },
    },
  },
  'GET /credentials/:credential_id': {
    replies: { 200: { ...credential, in_use_by: { workflows: 2, knowledge_bases: 1 } } },
  },
  'PATCH /credentials/:credential_id': {
    request: { name: 'OpenAI, second key', data },
    replies: { 200: { ...credential, name: 'OpenAI, second key' } },
  },
  'DELETE /credentials/:credential_id': {
    replies: {
      200: { success: true, message: 'Credential deleted' },
      409: { detail: 'The credential is in use by workflow "Greeting"' },
    },
  },
  'POST /credentials/:credential_id/test': {
    replies: { 200: { success: true, message: 'The credential works', status: 'active' } },
  },
  'GET /credentials/:credential_id/tools': {
    replies: {
      200: {
        tools: [
          {
            name: 'find_order',
            description: 'Finds an order by its number',
            input_schema: { type: 'object', properties: { number: { type: 'string' } } },
          },
        ],
        total: 1,
      },
    },
  },
  'GET /models': {
    replies: { 200: { models: [{ id: 'gpt-4.1' }, { id: 'gpt-4.1-mini' }], total: 2, reason: null } },
  },
  'POST /integration-types': {
    request: {
      name: 'custom-weather',
      display_name: 'Weather',
      base_url: 'https://company.example/v2',
      auth: {
        type: 'key',
        fields: [{ name: 'api_key', title: 'API key' }],
        placements: [{ in: 'header', name: 'Weather-Key', field: 'api_key', prefix: 'Token ' }],
      },
      test: { path: '/me' },
    },
    replies: { 201: exampleType, 409: { detail: 'Another integration type has this name' } },
  },
  'GET /integration-types': { replies: { 200: { integration_types: [exampleType], total: 1 } } },
  'GET /integration-types/:integration_type_id': { replies: { 200: exampleType } },
  'PATCH /integration-types/:integration_type_id': {
    request: { display_name: 'Weather, second version' },
    replies: {
      200: { ...exampleType, display_name: 'Weather, second version' },
      409: { detail: 'A credential has this type' },
    },
  },
  'DELETE /integration-types/:integration_type_id': {
    replies: {
      200: { success: true, message: 'Integration type deleted' },
      409: { detail: 'A credential has this type' },
    },
  },
  'GET /integrations': {
    replies: {
      200: {
        integrations: exampleIntegrations.map((entry) => presentIntegrationSummary(entry, true)),
        total: exampleIntegrations.length,
      },
    },
  },
  'GET /integrations/:name': {
    replies: { 200: exampleIntegrations.map((entry) => presentIntegration(entry, true))[0] ?? {} },
  },
};
