/** OpenAPI examples of service accounts. */
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';
import type { RowExamples } from '../../../platform/http/route.ts';

const account = {
  id: IDS.serviceAccount,
  organization_id: IDS.organization,
  name: 'Continuous integration',
  role: 'admin',
  rate_limit_per_minute: 600,
  created_by: IDS.user,
  created_by_email: 'ada@company.example',
  created_at: AT,
};
const apiKey = {
  id: IDS.apiKey,
  name: 'Deployments',
  key_hint: '4kT9sQ2b',
  masked_key: 'svc_live_4kT9sQ2b********',
  organization_id: IDS.organization,
  expires_at: null,
  is_expired: false,
  is_active: true,
  rate_limit_per_minute: 600,
  last_used_at: null,
  created_at: AT,
  revoked_at: null,
};
const one = '/service-accounts/:service_account_id';

export const SERVICE_ACCOUNT_EXAMPLES: RowExamples = {
  'POST /service-accounts': {
    request: { name: account.name, rate_limit_per_minute: 600 },
    replies: { 201: account },
  },
  'GET /service-accounts': { replies: { 200: { service_accounts: [account], total: 1 } } },
  [`GET ${one}`]: { replies: { 200: account } },
  [`PATCH ${one}`]: {
    request: { rate_limit_per_minute: 900 },
    replies: { 200: { ...account, rate_limit_per_minute: 900 } },
  },
  [`DELETE ${one}`]: { replies: { 200: { success: true, message: 'Service account deleted' } } },
  [`POST ${one}/keys`]: {
    request: { name: apiKey.name },
    replies: { 201: { ...apiKey, key: 'svc_live_<random part>' } },
  },
  [`GET ${one}/keys`]: { replies: { 200: { api_keys: [apiKey], total: 1 } } },
  [`DELETE ${one}/keys/:api_key_id`]: { replies: { 200: { ...apiKey, is_active: false, revoked_at: AT } } },
};
