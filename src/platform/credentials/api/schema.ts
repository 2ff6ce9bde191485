/** Wire shapes of credentials. `data` goes in and never comes out. */
import { z } from 'zod';
import { bodyWarnings } from '../../http/unknown-fields.ts';
import { anyMoment, jsonObject, describeJsonObject, moment, uuid } from '../../http/wire.ts';
import { HOST_PATTERN, readHost } from '../vault/hosts.ts';
import {
  chosenOrganizationId,
  createdAt,
  createdBy,
  displayName,
  expiresAt,
  owningOrganizationId,
  totalCount,
  updatedAt,
} from '../../http/fields.ts';

const ABOUT_ALLOWED_HOSTS =
  'Hosts that may receive the secret: `host:port`, or `host` for https; null: the host of the account';
const ABOUT_STATE = 'OAuth `state`: identifies the authorization in the redirect';

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
export const allowedHosts = z
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
    name: name.meta({ description: 'Display name' }),
    integration: z.string().min(1).max(64).meta({ description: 'Name of the integration in the catalog' }),
    auth_type: z.string().min(1).max(64).meta({ description: 'Authentication type of the integration' }),
    data,
    allowed_hosts: allowedHosts.nullish().meta({ description: ABOUT_ALLOWED_HOSTS }),
    organization_id: chosenOrganizationId,
    expires_at: anyMoment.nullish().meta({ description: 'Time of expiry, ISO 8601 UTC; null: never' }),
  })
  .meta({ id: 'CreateCredential' });
export type NewCredential = z.output<typeof newCredential>;

export const credentialChange = z
  .object({
    name: name.optional().meta({ description: 'Display name' }),
    data: data.optional(),
    allowed_hosts: allowedHosts.optional(),
    expires_at: anyMoment
      .nullable()
      .optional()
      .meta({ description: 'Time of expiry, ISO 8601 UTC; null: never' }),
    status: z
      .literal('revoked')
      .optional()
      .meta({ description: 'Disables the credential; new data enables it again' }),
  })
  .meta({ id: 'CredentialChange' });
export type CredentialChange = z.output<typeof credentialChange>;

const recordFields = {
  credential_id: uuid.meta({ description: 'Id of the credential, used in nodes and knowledge bases' }),
  organization_id: owningOrganizationId,
  name: displayName,
  integration: z.string().meta({ description: 'Name of the integration in the catalog' }),
  auth_type: z.string().meta({ description: 'Authentication type of the integration' }),
  scope: z.literal('organization').meta({ description: '`organization`: all members may use it' }),
  status: z
    .enum(['active', 'expired', 'error', 'revoked'])
    .meta({ description: 'Whether the credential can be used' }),
  status_message: z
    .string()
    .nullable()
    .meta({ description: 'Reason why the credential cannot be used; null: it can' }),
  masked: z
    .record(z.string(), z.string())
    .meta({ description: 'The data with masked secrets: at most the last four characters' }),
  scopes: z.array(z.string()).meta({ description: 'OAuth scopes, requested or granted' }),
  allowed_hosts: z.array(z.string()).meta({ description: ABOUT_ALLOWED_HOSTS }),
  expires_at: expiresAt,
  last_used_at: moment
    .nullable()
    .meta({ description: 'Time of the last use, ISO 8601 UTC; null: never used' }),
  last_tested_at: moment
    .nullable()
    .meta({ description: 'Time of the last test, ISO 8601 UTC; null: never tested' }),
  created_by: createdBy,
  created_at: createdAt,
  updated_at: updatedAt,
};

export const credential = z
  .looseObject({ ...recordFields, warnings: bodyWarnings })
  .meta({ id: 'Credential' });
export const credentialDetail = z
  .looseObject({
    ...recordFields,
    in_use_by: z
      .looseObject({
        workflows: z.int().meta({
          description: 'Number of workflows with a node that uses it, in the draft or in a deployment',
        }),
        knowledge_bases: z
          .int()
          .meta({ description: 'Number of knowledge bases that create embeddings with it' }),
      })
      .meta({ id: 'CredentialUse' })
      .meta({ description: 'Numbers of resources that use the credential' }),
  })
  .meta({ id: 'CredentialDetail' });
export const credentialList = z
  .looseObject({
    credentials: z.array(credential).meta({ description: 'The credentials of the organization' }),
    total: totalCount,
  })
  .meta({ id: 'CredentialList' });
export const credentialTest = z
  .looseObject({
    success: z.boolean().meta({ description: 'Whether the account accepted the credential' }),
    message: z.string().meta({ description: 'Result of the test, human-readable' }),
    status: recordFields.status.meta({ description: 'Whether the credential can be used' }),
  })
  .meta({ id: 'CredentialTest' });

export const credentialTools = z
  .looseObject({
    tools: z
      .array(
        z
          .looseObject({
            name: z.string().meta({ description: 'Name of the tool' }),
            description: z.string().meta({ description: 'Description of the tool by the server' }),
            input_schema: jsonObject.meta({ description: 'JSON Schema of the arguments' }),
          })
          .meta({ id: 'CredentialTool' }),
      )
      .meta({ description: 'The tools that the MCP server has now' }),
    total: totalCount,
  })
  .meta({ id: 'CredentialToolList' });

export const modelList = z
  .looseObject({
    models: z
      .array(
        z
          .looseObject({
            id: z.string().meta({ description: 'Id of the model, for the field `model` of nodes' }),
          })
          .meta({ id: 'ProviderModel' }),
      )
      .meta({ description: 'The models, by id' }),
    total: totalCount,
    reason: z.enum(['not_configured', 'not_listed', 'refused', 'unavailable']).nullable().meta({
      description:
        'Why the list is empty: no managed endpoint, a provider without a list, a refused credential, or no answer; null: it is the list of the provider',
    }),
  })
  .meta({ id: 'ModelList' });

export const newAuthorization = z
  .object({
    integration: z.string().min(1).max(64).meta({ description: 'Name of the integration in the catalog' }),
    name: name.optional().meta({ description: 'Name of the credential; required for a new one' }),
    scopes: z
      .array(z.string().regex(/^[!#-[\]-~]{1,128}$/, 'is no scope'))
      .max(50)
      .optional()
      .meta({ description: 'OAuth scopes, requested or granted' }),
    credential_id: uuid.optional().meta({ description: 'Id of an OAuth credential to reauthorize' }),
    data: z.record(z.string().max(64), z.string().max(1_024)).optional().meta({
      description:
        'The required fields of the authentication type that are not secret, such as `realm_id`; when reauthorizing, those that change',
    }),
  })
  .meta({ id: 'CreateAuthorization' });
export type NewAuthorization = z.output<typeof newAuthorization>;

export const authorization = z
  .looseObject({
    authorization_url: z.string().meta({
      description:
        'URL of the provider where the user grants access; it redirects back to the web application',
    }),
    state: z.string().meta({ description: ABOUT_STATE }),
    expires_at: moment.meta({ description: 'End of the time to complete the authorization, ISO 8601 UTC' }),
  })
  .meta({ id: 'Authorization' });

export const authorizationEnd = z
  .object({
    state: z.string().min(1).max(256).meta({ description: ABOUT_STATE }),
    code: z
      .string()
      .min(1)
      .max(2_048)
      .optional()
      .meta({ description: 'OAuth authorization code of the redirect' }),
    error: z
      .string()
      .max(256)
      .optional()
      .meta({ description: 'OAuth error code of the redirect, instead of `code`' }),
  })
  .meta({ id: 'AuthorizationEnd' });
export type AuthorizationEnd = z.output<typeof authorizationEnd>;
