/**
 * An entry of the integration catalog, as data: its auth schemes, the placement of secrets, and its actions, each a template
 * of one HTTP request.
 */
import type { JsonObject } from '../../graph/values/value.ts';

type AuthType = 'api_key' | 'basic' | 'bearer' | 'oauth2' | 'none';

/** The placement of the fields of a credential in a request. */
export type Placement =
  | { readonly kind: 'bearer'; readonly field: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** A header with a fixed name, or the name in the credential's `nameField`. */
  | { readonly kind: 'header'; readonly name: string; readonly nameField?: string; readonly field: string }
  | { readonly kind: 'nothing' };

/** An OAuth 2 provider: authorization code flow with PKCE (RFC 6749, RFC 7636). */
export interface OAuthProvider {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The separator of scopes; the standard says a space. */
  readonly scopeSeparator: ' ' | ',';
}

export interface AuthScheme {
  readonly type: AuthType;
  readonly required: boolean;
  readonly scopes: readonly string[];
  /** JSON Schema of a credential's `data`; secrets carry `x-secret`. */
  readonly schema: JsonObject;
  readonly placement: Placement;
  /** Only for type `oauth2`. */
  readonly oauth?: OAuthProvider;
}

/** One HTTP request, filled from an action's parameters. */ interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL; `{name}` is a parameter as one path segment. */
  readonly path: string;
  /** Parameters in the query string. */
  readonly query: readonly string[];
  /** Parameters in the JSON body; null: no body. */
  readonly body: readonly string[] | null;
  readonly headers: Readonly<Record<string, string>>;
  /** A constant part of the JSON body. */
  readonly constant?: JsonObject;
}

export interface Action {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Allows retries, also after a crash. */
  readonly idempotent: boolean;
  readonly requiresAuth: boolean;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly request: RequestTemplate;
  /** For services that report failures with status 200: the field with the result, and the field with the reason. */
  readonly verdict?: { readonly field: string; readonly expected: boolean; readonly reason: string };
}

export interface Integration {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly category: string;
  readonly docsUrl: string | null;
  readonly tags: readonly string[];
  /** The base URL unless the credential has its own; null: the credential or the node has it. */
  readonly baseUrl: string | null;
  /** The credential's field with its own base URL; null: none. */
  readonly baseUrlField: string | null;
  readonly auth: readonly AuthScheme[];
  readonly actions: readonly Action[];
  /** A request without effect that tests a credential; null: none. */
  readonly test: { readonly path: string; readonly headers: Readonly<Record<string, string>> } | null;
}
