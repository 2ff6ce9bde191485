/** Wire shapes of credentials. `data` goes in and never comes out. */
import { z } from 'zod';
import { bodyWarnings } from '../../http/unknown-fields.ts';
import { anyMoment, jsonObject, describeJsonObject, moment, uuid } from '../../http/wire.ts';
import { HOST_PATTERN, readHost } from '../vault/hosts.ts';

const name = z.string().min(1).max(255);
const host = z
  .string()
  .transform((text, ctx): string => {
    const entry = readHost(text);
    if (entry !== null) return entry;
    ctx.addIssue({ code: 'custom', message: 'must be host or host:port', params: { type: 'host' } });
    return z.NEVER;
  })
  .meta({ override: { type: 'string', pattern: HOST_PATTERN } });
const allowedHosts = z
  .array(host)
  .min(1)
  .max(20)
  .meta({ description: '`host:port`, or `host` for https on port 443' });
const data = describeJsonObject({
  description: "The secret, matching the integration's auth schema; never returned",
  writeOnly: true,
});

export const newCredential = z
  .object({
    name,
    integration: z.string().min(1).max(64),
    auth_type: z.string().min(1).max(64),
    data,
    allowed_hosts: allowedHosts.nullish(),
    organization_id: uuid.nullish(),
    expires_at: anyMoment.nullish(),
  })
  .meta({ id: 'CreateCredential' });
export type NewCredential = z.output<typeof newCredential>;

export const credentialChange = z
  .object({
    name: name.optional(),
    data: data.optional(),
    allowed_hosts: allowedHosts.optional(),
    expires_at: anyMoment.nullable().optional(),
    status: z
      .literal('revoked')
      .optional()
      .meta({ description: 'Disables the credential; new data enables it again' }),
  })
  .meta({ id: 'CredentialChange' });
export type CredentialChange = z.output<typeof credentialChange>;

const recordFields = {
  credential_id: uuid,
  organization_id: uuid,
  name: z.string(),
  integration: z.string(),
  auth_type: z.string(),
  scope: z.literal('organization'),
  status: z.enum(['active', 'expired', 'error', 'revoked']),
  status_message: z.string().nullable(),
  masked: z
    .record(z.string(), z.string())
    .meta({ description: 'The data with masked secrets: at most the last four characters' }),
  scopes: z.array(z.string()),
  allowed_hosts: z.array(z.string()),
  expires_at: moment.nullable(),
  last_used_at: moment.nullable(),
  last_tested_at: moment.nullable(),
  created_by: uuid.nullable(),
  created_at: moment,
  updated_at: moment,
};

export const credential = z
  .looseObject({ ...recordFields, warnings: bodyWarnings })
  .meta({ id: 'Credential' });
export const credentialDetail = z
  .looseObject({
    ...recordFields,
    in_use_by: z.looseObject({ workflows: z.int(), knowledge_bases: z.int() }).meta({ id: 'CredentialUse' }),
  })
  .meta({ id: 'CredentialDetail' });
export const credentialList = z
  .looseObject({ credentials: z.array(credential), total: z.int() })
  .meta({ id: 'CredentialList' });
export const credentialTest = z
  .looseObject({
    success: z.boolean(),
    message: z.string(),
    status: recordFields.status,
  })
  .meta({ id: 'CredentialTest' });

export const credentialTools = z
  .looseObject({
    tools: z.array(
      z
        .looseObject({
          name: z.string(),
          description: z.string(),
          input_schema: jsonObject.meta({ description: 'JSON Schema of the arguments' }),
        })
        .meta({ id: 'CredentialTool' }),
    ),
    total: z.int(),
  })
  .meta({ id: 'CredentialToolList' });

export const modelList = z
  .looseObject({
    models: z.array(z.looseObject({ id: z.string() }).meta({ id: 'ProviderModel' })),
    total: z.int(),
    reason: z.enum(['not_configured', 'not_listed', 'refused', 'unavailable']).nullable(),
  })
  .meta({ id: 'ModelList' });

export const newAuthorization = z
  .object({
    integration: z.string().min(1).max(64),
    name: name.optional().meta({ description: 'Name of the credential; required for a new one' }),
    scopes: z
      .array(z.string().regex(/^[!#-[\]-~]{1,128}$/, 'is no scope'))
      .max(50)
      .optional(),
    credential_id: uuid.optional().meta({ description: 'Id of an OAuth credential to reauthorize' }),
  })
  .meta({ id: 'CreateAuthorization' });
export type NewAuthorization = z.output<typeof newAuthorization>;

export const authorization = z
  .looseObject({
    authorization_url: z.string(),
    state: z.string(),
    expires_at: moment,
  })
  .meta({ id: 'Authorization' });

export const authorizationEnd = z
  .object({
    state: z.string().min(1).max(256),
    code: z.string().min(1).max(2_048).optional(),
    error: z
      .string()
      .max(256)
      .optional()
      .meta({ description: 'OAuth error code of the redirect, instead of `code`' }),
  })
  .meta({ id: 'AuthorizationEnd' });
export type AuthorizationEnd = z.output<typeof authorizationEnd>;
