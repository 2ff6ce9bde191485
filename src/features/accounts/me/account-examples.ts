/** Examples of organizations, members, invitations, API keys and what belongs to a user. */
import type { RowExamples } from '../../../platform/http/route.ts';
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';

const organization = {
  id: IDS.organization,
  name: 'Example Company',
  slug: 'example-company-4f1d2c3b5a',
  domain: 'company.example',
  is_active: true,
  created_at: AT,
};
const detail = {
  ...organization,
  stripe_customer_id: null,
  settings: { theme: 'dark' },
  has_ever_trialed: false,
  run_retention_days: 90,
};
const member = {
  user_id: IDS.colleague,
  organization_id: IDS.organization,
  email: 'grace@company.example',
  role: 'admin',
  is_active: true,
  created_at: AT,
};
const invitation = {
  id: IDS.invitation,
  organization_id: IDS.organization,
  organization_name: 'Example Company',
  email: 'grace@company.example',
  role: 'admin',
  status: 'pending',
  created_at: AT,
};
const apiKey = {
  id: IDS.apiKey,
  name: 'Nightly import',
  key_hint: 'Xy12Ab34',
  masked_key: 'svc_live_Xy12Ab34********',
  organization_id: IDS.organization,
  expires_at: null,
  is_expired: false,
  is_active: true,
  rate_limit_per_minute: 60,
  last_used_at: null,
  created_at: AT,
  revoked_at: null,
};
const help = {
  request: { subject: 'A run does not end', message: 'Since this morning.' },
  replies: {
    201: {
      id: IDS.message,
      subject: 'A run does not end',
      message: 'Since this morning.',
      status: 'open',
      organization_id: IDS.organization,
      created_at: AT,
    },
  },
};

export const ACCOUNT_EXAMPLES: RowExamples = {
  'GET /organizations': { replies: { 200: [organization] } },
  'POST /organizations': { request: { name: 'Example Company' }, replies: { 201: organization } },
  'GET /organizations/:organization_id': { replies: { 200: detail } },
  'PATCH /organizations/:organization_id': {
    request: { domain: 'company.example', settings: { theme: 'dark' }, run_retention_days: 90 },
    replies: { 200: detail },
  },
  'GET /organizations/:organization_id/members': { replies: { 200: { members: [member], total: 1 } } },
  'PATCH /organizations/:organization_id/members/:user_id': {
    request: { role: 'owner' },
    replies: {
      200: { ...member, role: 'owner' },
      409: { detail: 'An organization must keep at least one owner' },
    },
  },
  'DELETE /organizations/:organization_id/members/:user_id': {
    replies: {
      200: { success: true, message: 'Member removed' },
      409: { detail: 'An organization must keep at least one owner' },
    },
  },
  'POST /organizations/:organization_id/invitations': {
    request: { email: 'grace@company.example', role: 'admin' },
    replies: { 200: invitation, 201: invitation },
  },
  'GET /organizations/:organization_id/invitations': { replies: { 200: { invitations: [invitation] } } },
  'DELETE /organizations/:organization_id/invitations/:invitation_id': {
    replies: { 200: { success: true, message: 'Invitation revoked' } },
  },
  'GET /auth/invitations/my': { replies: { 200: { invitations: [invitation] } } },
  'POST /auth/invitations/:invitation_id/accept': {
    replies: {
      200: { ...invitation, status: 'accepted' },
      409: { detail: 'The invitation was already used' },
    },
  },
  'POST /auth/invitations/:invitation_id/decline': {
    replies: { 200: { success: true, message: 'Invitation declined' } },
  },
  'GET /auth/me': {
    replies: {
      200: {
        id: IDS.user,
        subject: 'user_2abcDEF',
        email: 'ada@company.example',
        role: 'USER',
        is_active: true,
        created_at: AT,
      },
    },
  },
  'GET /auth/me/organizations': {
    replies: {
      200: { organizations: [{ ...organization, organization_id: IDS.organization, role: 'owner' }] },
    },
  },
  'POST /api-keys': {
    request: { name: 'Nightly import', organization_id: IDS.organization },
    replies: {
      201: { ...apiKey, key: 'svc_live_<random part>' },
      400: {
        detail: {
          code: 'MAX_KEYS_EXCEEDED',
          message: 'A user can have at most 10 API keys. Revoke one first.',
        },
      },
    },
  },
  'GET /api-keys': { replies: { 200: { api_keys: [apiKey], total: 1 } } },
  'GET /api-keys/:api_key_id': { replies: { 200: apiKey } },
  'DELETE /api-keys/:api_key_id': { replies: { 200: { ...apiKey, is_active: false, revoked_at: AT } } },
  'POST /requests': help,
  'POST /support': help,
};
