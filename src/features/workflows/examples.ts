/** Examples of workflows and deployments. */
import type { RowExamples } from '../../platform/http/route.ts';
import { AT, IDS } from '../../platform/http/docs/example-ids.ts';

const definition = {
  metadata: { name: 'Greeting', description: 'Says hello', version: '1.0.0', tags: ['demo'] },
  config: {},
  state_schema: { fields: {} },
  nodes: [
    {
      id: 'hello',
      type: 'transformer',
      name: 'Say hello',
      position: { x: 200, y: 80 },
      config: { mode: 'map', fields: { greeting: 'Hello {{input.name}}' } },
    },
  ],
  edges: [
    { id: 'in', source: '__start__', target: 'hello' },
    { id: 'out', source: 'hello', target: '__end__' },
  ],
  entry_point: '__start__',
  input_parameters: [],
};

const sheet = {
  rows: [
    {
      door: 'http',
      target: { method: 'POST', host: 'hooks.example.com' },
      effect: 'at_most_once',
      credential_id: IDS.credential,
      nodes: ['Tell the team'],
      refused_by: 'Only known hosts',
      asked_by: null,
      unasked: null,
    },
    {
      door: 'message',
      target: { channel: 'email', address: { from: ['input.email'] } },
      effect: 'at_most_once',
      credential_id: null,
      nodes: ['Order / Approve'],
      refused_by: null,
      asked_by: null,
      unasked: null,
    },
  ],
  definition_hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  trusted_values: [],
  untrusted: [],
  is_complete: true,
};

const summary = {
  id: IDS.workflow,
  name: 'Greeting',
  description: 'Says hello',
  version: '1.0.0',
  status: 'draft',
  visibility: 'organization',
  category: null,
  tags: ['demo'],
  creator_id: IDS.user,
  created_at: AT,
  updated_at: AT,
};

const workflow = {
  ...summary,
  organization_id: IDS.organization,
  workflow_schema: definition,
  input: { name: 'Ada' },
  config: {},
  edit_version: 0,
  last_edited_by: null,
  last_edited_at: null,
  live_deployment_id: null,
  problems: [],
};

const update = {
  request: { description: 'Says hello to whoever is named', tags: ['demo', 'greeting'] },
  replies: {
    200: {
      ...workflow,
      description: 'Says hello to whoever is named',
      tags: ['demo', 'greeting'],
      edit_version: 1,
      last_edited_by: IDS.user,
      last_edited_at: AT,
    },
  },
};

const row = {
  id: IDS.deployment,
  name: 'Greeting',
  version: '2.0.0',
  deployment_note: 'Names are optional now',
  schema_image_url: null,
  deployed_by: IDS.user,
  is_live: true,
  created_at: AT,
};

export const WORKFLOW_EXAMPLES: RowExamples = {
  'GET /workflows': {
    replies: {
      200: {
        workflows: [{ ...summary, live_deployment_id: IDS.deployment }],
        total: 1,
        page: 1,
        page_size: 20,
        total_pages: 1,
      },
    },
  },
  'POST /workflows': {
    request: { name: 'Greeting', workflow_schema: definition, input: { name: 'Ada' } },
    replies: { 201: workflow },
  },
  'GET /workflows/:workflow_id': { replies: { 200: workflow } },
  'PATCH /workflows/:workflow_id': update,
  'PUT /workflows/:workflow_id': update,
  'POST /workflows/:workflow_id/nodes/:node_id/pin': {
    request: { run_pk: IDS.runPk },
    replies: { 200: workflow },
  },
  'DELETE /workflows/:workflow_id/nodes/:node_id/pin': { replies: { 200: workflow } },
  'DELETE /workflows/:workflow_id': { replies: { 200: { success: true, message: 'Workflow deleted' } } },
  'GET /workflow-usage/:workflow_id': {
    replies: { 200: { used_by: [{ workflow_id: IDS.workflow, name: 'Welcome mail', is_live: true }] } },
  },
  'POST /workflows/:workflow_id/deploy': {
    request: { deployment_note: 'Names are optional now' },
    replies: { 201: { ...row, workflow_id: IDS.workflow, description: 'Says hello' } },
  },
  'GET /workflows/:workflow_id/deployments/:deployment_id/sheet': { replies: { 200: sheet } },
  'POST /workflows/:workflow_id/sheet': { request: { definition }, replies: { 200: sheet } },
  'GET /workflows/:workflow_id/deployments': {
    replies: {
      200: {
        deployments: [row],
        total: 1,
        has_more: false,
        limit: 20,
        offset: 0,
        next_cursor: null,
        previous_cursor: null,
      },
    },
  },
  'GET /workflows/:workflow_id/deployments/:deployment_id': {
    replies: {
      200: {
        ...row,
        workflow_id: IDS.workflow,
        description: 'Says hello',
        workflow_schema: definition,
        input: { name: 'Ada' },
        config: {},
      },
    },
  },
  'PUT /workflows/:workflow_id/deployments/:deployment_id/activate': {
    replies: {
      200: {
        success: true,
        message: 'Deployment activated',
        deployment_id: IDS.olderDeployment,
        previous_live_deployment_id: IDS.deployment,
      },
    },
  },
  'DELETE /workflows/:workflow_id/deployments/live': {
    replies: {
      200: {
        success: true,
        message: 'Live deployment deactivated',
        previous_live_deployment_id: IDS.deployment,
      },
    },
  },
  'DELETE /workflows/:workflow_id/deployments/:deployment_id': {
    replies: {
      200: {
        success: true,
        message: 'Deployment deleted',
        deleted_deployment_id: IDS.deployment,
        was_live: true,
        new_live_deployment_id: IDS.olderDeployment,
      },
    },
  },
};
