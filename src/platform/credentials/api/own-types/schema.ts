/** Wire shapes of integration types that an organization makes. Secrets of OAuth clients go in and never come out. */
import { z } from 'zod';
import {
  COOKIE_NAME,
  HEADER_NAME,
  HEADER_PREFIX,
  isReservedHeader,
  PARAMETER_NAME,
} from '../../../../language/nodes/integrations/place-names.ts';
import {
  createdAt,
  createdBy,
  owningOrganizationId,
  totalCount,
  uniqueId,
  updatedAt,
} from '../../../http/fields.ts';
import { describeJsonObject } from '../../../http/wire.ts';
import { bodyWarnings } from '../../../http/unknown-fields.ts';
import { allowedHosts } from '../schema.ts';
import { findBaseUrlProblem, findUrlProblem } from './check-urls.ts';

const MAX_URL = 2_048;

const withCheck = (text: z.ZodString, check: (value: string) => string | null) =>
  text.superRefine((value, ctx) => {
    const problem = check(value);
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem, params: { type: 'invalid_url' } });
  });
const url = (description: string) => withCheck(z.string().max(MAX_URL), findUrlProblem).meta({ description });

const fieldName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);
const field = z
  .object({
    name: fieldName.meta({
      description: 'Name in the `data` of credentials and in `{name}` of the base URL',
    }),
    title: z.string().min(1).max(100).meta({ description: 'Label for people' }),
    secret: z.boolean().default(true).meta({ description: 'True: never shown, and redacted everywhere' }),
    required: z.boolean().default(true).meta({ description: 'Whether a credential must have it' }),
  })
  .meta({ id: 'IntegrationTypeField' });

const NAME_PATTERNS = { header: HEADER_NAME, query: PARAMETER_NAME, cookie: COOKIE_NAME };
const placement = z
  .object({
    in: z.enum(['header', 'query', 'cookie']).meta({ description: 'The part of the request' }),
    name: z.string().min(1).max(128).meta({ description: 'Name of the header, the parameter or the cookie' }),
    field: fieldName.meta({ description: 'The field that is sent' }),
    prefix: z
      .string()
      .regex(new RegExp(HEADER_PREFIX))
      .optional()
      .meta({ description: 'Text before the value of a header, such as `Token `' }),
  })
  .superRefine(({ in: part, name }, ctx) => {
    if (!new RegExp(NAME_PATTERNS[part]).test(name))
      ctx.addIssue({
        code: 'custom',
        path: ['name'],
        message: 'Is not a valid name',
        params: { type: 'invalid_name' },
      });
    else if (part === 'header' && isReservedHeader(name))
      ctx.addIssue({
        code: 'custom',
        path: ['name'],
        message: 'Is set by the service',
        params: { type: 'reserved_header' },
      });
  })
  .meta({ id: 'IntegrationTypePlacement' });

const parameters = z.record(z.string().min(1).max(128), z.string().max(1_024)).default({});
const clientText = z.string().regex(/^[ -~]{1,1024}$/);

const oauthFields = {
  type: z.literal('oauth2').meta({ description: 'Discriminator of the alternatives' }),
  grant: z.enum(['authorization_code', 'client_credentials', 'jwt_bearer']).meta({
    description:
      'How tokens are given: a person at the provider (with PKCE), the client itself, or an assertion that a service account signs',
  }),
  authorization_url: url('Where people grant access; required for `authorization_code`').optional(),
  token_url: url('Where tokens are requested'),
  scopes: z
    .array(z.string().regex(/^[!#-[\]-~]{1,256}$/, 'is no scope'))
    .max(50)
    .default([])
    .meta({ description: 'OAuth scopes that are requested' }),
  scope_separator: z.enum([' ', ',']).default(' ').meta({ description: 'Stands between scopes' }),
  authorization_parameters: parameters.meta({ description: 'More parameters of the authorization URL' }),
  token_parameters: parameters.meta({ description: 'More parameters of requests for tokens' }),
  client_authentication: z
    .enum(['basic', 'body', 'private_key_jwt'])
    .default('body')
    .meta({ description: 'How the client proves itself at the token URL' }),
  audience: clientText.optional().meta({ description: '`aud` of assertions; by default the token URL' }),
  client_id: clientText
    .optional()
    .meta({ description: "Id of the organization's client; required for `authorization_code`" }),
  key_id: clientText.optional().meta({ description: 'Id of the private key, for `private_key_jwt`' }),
};
const clientSecrets = {
  client_secret: z
    .string()
    .min(4)
    .max(8_192)
    .optional()
    .meta({ description: "Secret of the organization's client; never returned", writeOnly: true }),
  private_key: z
    .string()
    .min(64)
    .max(16_384)
    .optional()
    .meta({ description: 'Private key of the client as PEM text; never returned', writeOnly: true }),
};

const key = z
  .object({
    type: z.literal('key').meta({ description: 'Discriminator of the alternatives' }),
    fields: z.array(field).min(1).max(10).meta({ description: 'The fields of a credential' }),
    placements: z.array(placement).max(10).default([]).meta({
      description: 'Where the fields go; a field in the base URL as `{name}` needs none',
    }),
  })
  .meta({ id: 'IntegrationTypeKey' });
const bearer = z
  .object({ type: z.literal('bearer').meta({ description: 'Discriminator of the alternatives' }) })
  .meta({ id: 'IntegrationTypeBearer' });
const basic = z
  .object({ type: z.literal('basic').meta({ description: 'Discriminator of the alternatives' }) })
  .meta({ id: 'IntegrationTypeBasic' });

const ABOUT_AUTH =
  'Where the secrets of credentials come from and go to. They are put in while a request is sent';
const newAuth = z
  .discriminatedUnion('type', [
    key,
    bearer,
    basic,
    z.object({ ...oauthFields, ...clientSecrets }).meta({ id: 'IntegrationTypeOAuth2' }),
  ])
  .meta({ id: 'IntegrationTypeAuth' })
  .meta({ description: ABOUT_AUTH });
export type NewAuth = z.output<typeof newAuth>;
const shownAuth = describeJsonObject({ description: `${ABOUT_AUTH}. Without secrets` });

const displayName = z.string().min(1).max(100).meta({ description: 'Display name' });
const description = z.string().max(1_000).meta({ description: 'Short description' });
const baseUrl = withCheck(z.string().max(MAX_URL), findBaseUrlProblem)
  .transform((text) => text.replace(/\/+$/, ''))
  .nullable()
  .meta({
    description:
      'Base URL; `{field}` in its host or path is a field of the credential. Null: nodes have whole URLs',
    override: { type: ['string', 'null'], maxLength: MAX_URL },
  });
const hosts = allowedHosts.nullable().meta({
  description:
    'Hosts that credentials may be sent to, beside that of the base URL; null: each credential names them',
});
const test = z
  .object({
    path: z
      .string()
      .regex(/^\/[!-~]{0,1023}$/)
      .meta({ description: 'Path behind the base URL, with a query' }),
  })
  .meta({ id: 'IntegrationTypeTest' })
  .nullable()
  .meta({ description: 'A GET request that tests a credential; null: none' });

export const newType = z
  .object({
    name: z
      .string()
      .regex(/^custom-[a-z0-9][a-z0-9-]{0,55}$/)
      .meta({
        description: '`integration` of its credentials. It begins with `custom-`, and no other type has it',
      }),
    display_name: displayName,
    description: description.default(''),
    base_url: baseUrl.default(null),
    allowed_hosts: hosts.default(null),
    auth: newAuth,
    test: test.default(null),
  })
  .meta({ id: 'CreateIntegrationType' });
export type NewType = z.output<typeof newType>;

export const typeChange = z
  .object({
    display_name: displayName.optional(),
    description: description.optional(),
    base_url: baseUrl.optional(),
    allowed_hosts: hosts.optional(),
    auth: newAuth.optional(),
    test: test.optional(),
  })
  .meta({ id: 'IntegrationTypeChange' });
export type TypeChange = z.output<typeof typeChange>;

export const integrationType = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    name: z.string().meta({ description: '`integration` of its credentials' }),
    display_name: displayName,
    description,
    base_url: z.string().nullable().meta({ description: 'Base URL; null: nodes have whole URLs' }),
    allowed_hosts: z.array(z.string()).meta({ description: 'Hosts beside that of the base URL' }),
    auth: shownAuth,
    test,
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'IntegrationType' });
export const typeList = z
  .looseObject({
    integration_types: z.array(integrationType).meta({ description: 'Types of the organization, by name' }),
    total: totalCount,
  })
  .meta({ id: 'IntegrationTypeList' });
