/** Google: its OAuth provider, and the refusals that its APIs share. */
import type { OAuthProvider } from './integration.ts';
import { all, hasStatus, tooMany, type ServiceRules } from './service-rules.ts';

export const GOOGLE: OAuthProvider = {
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  scopeSeparator: ' ',
  // Without both Google gives a refresh token only at the first authorization, or none.
  authorizationParameters: { access_type: 'offline', prompt: 'consent' },
};

/** Google refuses beyond a quota with 429, or with 403 and one of two reasons ("Resolve errors" of its APIs). */
export const GOOGLE_RULES: ServiceRules = {
  declines: [
    tooMany(),
    {
      when: all(hasStatus(403), {
        left: '{{response.data.error.errors[0].reason}}',
        op: 'in',
        right: ['rateLimitExceeded', 'userRateLimitExceeded'],
      }),
    },
  ],
};
