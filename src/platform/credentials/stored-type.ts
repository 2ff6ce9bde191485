/** An integration type that an organization made: its row, and the entry that the row describes. */
import type { JsonObject } from '../../language/graph/values/value.ts';
import {
  bearer,
  describeFields,
  describeToken,
  oauth2,
  ownGrant,
} from '../../language/nodes/integrations/auth-schemes.ts';
import { basic } from '../../language/nodes/integrations/http.ts';
import type {
  AuthScheme,
  ClientAuthentication,
  Integration,
  OAuthGrant,
} from '../../language/nodes/integrations/integration.ts';

interface TypeField {
  readonly name: string;
  readonly title: string;
  readonly secret: boolean;
  readonly required: boolean;
}
interface TypePlacement {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly field: string;
  /** Only in headers. */
  readonly prefix?: string | undefined;
}
/** The stored settings of an OAuth provider; the client's secret is sealed beside them. */
interface TypeOAuth {
  readonly type: 'oauth2';
  readonly grant: OAuthGrant;
  readonly authorization_url?: string | undefined;
  readonly token_url: string;
  readonly scopes: readonly string[];
  readonly scope_separator: ' ' | ',';
  readonly authorization_parameters: Readonly<Record<string, string>>;
  readonly token_parameters: Readonly<Record<string, string>>;
  readonly client_authentication: ClientAuthentication;
  readonly audience?: string | undefined;
  readonly client_id?: string | undefined;
  readonly key_id?: string | undefined;
}

/** Where the secrets of a type's credentials come from and go to, without any secret. */
export type TypeAuth =
  | {
      readonly type: 'key';
      readonly fields: readonly TypeField[];
      readonly placements: readonly TypePlacement[];
    }
  | { readonly type: 'bearer' }
  | { readonly type: 'basic' }
  | TypeOAuth;

/** The columns of a row that describe its entry. */
export interface TypeDescription {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly base_url: string | null;
  readonly allowed_hosts: readonly string[];
  readonly auth: TypeAuth;
  readonly test: { readonly path: string; readonly headers?: Readonly<Record<string, string>> } | null;
}

function describeField({ title, secret }: TypeField): JsonObject {
  return secret
    ? describeToken(title)
    : { type: 'string', title, minLength: 1, maxLength: 1024, pattern: '^[ -~]+$' };
}

function toScheme(auth: TypeAuth): AuthScheme {
  switch (auth.type) {
    case 'bearer':
      return bearer([]);
    case 'basic':
      return basic;
    case 'key': {
      const properties = Object.fromEntries(auth.fields.map((field) => [field.name, describeField(field)]));
      const required = auth.fields.filter((field) => field.required).map(({ name }) => name);
      const placements = auth.placements.map(({ in: kind, name, field, prefix }) => {
        return kind === 'header' ? { kind, name, field, prefix: prefix ?? '' } : { kind, name, field };
      });
      return {
        type: 'api_key',
        required: true,
        scopes: [],
        schema: describeFields(properties, required),
        placements,
      };
    }
    case 'oauth2': {
      const provider = {
        grant: auth.grant,
        authorizationUrl: auth.authorization_url ?? '',
        tokenUrl: auth.token_url,
        scopeSeparator: auth.scope_separator,
        clientAuthentication: auth.client_authentication,
        authorizationParameters: auth.authorization_parameters,
        tokenParameters: auth.token_parameters,
        ...(auth.audience !== undefined && { audience: auth.audience }),
      };
      return auth.grant === 'authorization_code'
        ? oauth2(provider, auth.scopes)
        : ownGrant(provider, auth.scopes);
    }
  }
}

/** Builds the entry that a stored type describes, in the form of those of the catalog. */
export function toIntegration(stored: TypeDescription): Integration {
  return {
    name: stored.name,
    displayName: stored.display_name,
    description: stored.description,
    version: '1.0.0',
    category: 'custom',
    docsUrl: null,
    tags: [],
    baseUrl: stored.base_url,
    allowedHosts: stored.allowed_hosts,
    baseUrlField: null,
    auth: [toScheme(stored.auth)],
    actions: [],
    test: stored.test === null ? null : { path: stored.test.path, headers: stored.test.headers ?? {} },
  };
}

/** The columns of `TypeDescription` as one JSON value, of the table `t`. */
export const TYPE_AS_JSON = `
  json_build_object('name', t.name, 'display_name', t.display_name, 'description', t.description, 'base_url', t.base_url,
    'allowed_hosts', t.allowed_hosts, 'auth', t.auth, 'test', t.test)`;
