/**
 * What an entry of the integration catalog is: data alone. Which accounts it takes, where their secrets go in a
 * request, and which actions it has, each as a template of one HTTP request.
 */
import type { JsonObject } from '../../graph/value.ts';

export type AuthType = 'api_key' | 'basic' | 'bearer' | 'oauth2' | 'none';

/** Where the fields of a credential go in a request. */
export type Placement =
  | { readonly kind: 'bearer'; readonly field: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** A header of a fixed name; or of the name that the credential's `nameField` holds. */
  | { readonly kind: 'header'; readonly name: string; readonly nameField?: string; readonly field: string }
  | { readonly kind: 'nothing' };

/** Where accounts are authorized: the code flow of OAuth 2 with PKCE (RFC 6749, RFC 7636). */
export interface OAuthProvider {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** What stands between scopes: a space by the standard. */
  readonly scopeSeparator: ' ' | ',';
}

export interface AuthScheme {
  readonly type: AuthType;
  readonly required: boolean;
  readonly scopes: readonly string[];
  /** JSON Schema of a credential's `data`; secrets carry `x-secret`. */
  readonly schema: JsonObject;
  readonly placement: Placement;
  /** Of accounts of type `oauth2` alone. */
  readonly oauth?: OAuthProvider;
}

/** One HTTP request, filled from an action's parameters. */
export interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL; `{name}` is a parameter as one path segment. */
  readonly path: string;
  /** Parameters that go into the query string. */
  readonly query: readonly string[];
  /** Parameters that become the JSON body; null: no body. */
  readonly body: readonly string[] | null;
  readonly headers: Readonly<Record<string, string>>;
  /** A fixed part of the JSON body, beside the parameters. */
  readonly constant?: JsonObject;
}

export interface Action {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Doing it twice is doing it once; decides retries and what happens after a crash. */
  readonly idempotent: boolean;
  readonly requiresAuth: boolean;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly request: RequestTemplate;
  /** A field of the answer that says, in spite of status 200, whether it went well; and the one that says why not. */
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
  /** Where the actions go unless the credential names another base; null: the credential or the node says it. */
  readonly baseUrl: string | null;
  /** The credential's field that holds another base, if it may. */
  readonly baseUrlField: string | null;
  readonly auth: readonly AuthScheme[];
  readonly actions: readonly Action[];
  /** A harmless request that tells whether a credential is accepted; null: there is none. */
  readonly test: { readonly path: string; readonly headers: Readonly<Record<string, string>> } | null;
}
