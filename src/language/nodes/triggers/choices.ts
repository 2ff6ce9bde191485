/** The choices of a webhook, without a parser: the command line offers them, too. */

/** How requests prove their sender. */
export const VERIFICATIONS = [
  'none',
  'bearer',
  'basic',
  'standard',
  'github',
  'stripe',
  'slack',
  'shopify',
  'gitlab',
  'twilio',
  'typeform',
  'calendly',
  'zoom',
  'telegram',
  'hmac',
] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** The methods that a webhook may take. */
export const METHODS = ['POST', 'PUT', 'GET'] as const;

/** How requests are recognized as one event. */
export const DUPLICATES = ['sender_id', 'content', 'none'] as const;
