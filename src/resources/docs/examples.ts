/** All examples of the API reference. Each is checked against the schemas of its row by a test. */
import { SERVICE_NAME, VERSION } from '../../config.ts';
import type { RowExamples } from '../../http/openapi.ts';
import { ACCOUNT_EXAMPLES } from '../me/account-examples.ts';
import { CHAT_EXAMPLES } from '../chats/examples.ts';
import { CONNECTION_EXAMPLES } from '../credentials/examples.ts';
import { AT } from './example-ids.ts';
import { KNOWLEDGE_EXAMPLES } from '../knowledge-bases/examples.ts';
import { RUN_EXAMPLES } from '../../runs/api/examples.ts';
import { SCHEDULE_EXAMPLES, SUBSCRIPTION_EXAMPLES } from '../schedules/examples.ts';
import { WORKFLOW_EXAMPLES } from '../workflows/examples.ts';

const answers = (name: string) => ({ status: 'healthy', message: `${name} answers` });

const SYSTEM_EXAMPLES: RowExamples = {
  'GET /': {
    replies: { 200: { service: SERVICE_NAME, version: VERSION, openapi: '/openapi.json' } },
  },
  'GET /system/health': {
    replies: { 200: { status: 'healthy', service: SERVICE_NAME, version: VERSION } },
  },
  'GET /system/health/oauth': {
    replies: {
      200: {
        overall: 'healthy',
        checks: { database: answers('database'), temporal: answers('temporal') },
        version: VERSION,
        timestamp: AT,
      },
      401: { detail: 'Invalid health check API key' },
      503: { detail: 'Health check API key is not configured' },
    },
  },
};

export const EXAMPLES: RowExamples = {
  ...SYSTEM_EXAMPLES,
  ...WORKFLOW_EXAMPLES,
  ...RUN_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
  ...CONNECTION_EXAMPLES,
  ...SCHEDULE_EXAMPLES,
  ...SUBSCRIPTION_EXAMPLES,
  ...CHAT_EXAMPLES,
  ...KNOWLEDGE_EXAMPLES,
};
