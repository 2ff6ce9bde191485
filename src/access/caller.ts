/** Who is calling, and for which organization: the context that every service function takes first. */

export interface Caller {
  readonly userId: string;
  /** The identity provider's `sub`. */
  readonly subject: string;
  readonly email: string;
  /** User-level role (`USER`, ...); says nothing about any organization. */
  readonly role: string;
  readonly via: CallerVia;
}

export type CallerVia =
  | {
      readonly kind: 'jwt';
      readonly sessionId: string | null;
      /** The provider vouches for the address in this token. */
      readonly isEmailVerified: boolean;
    }
  | CallerKey;

/** The API key that a caller came with, and all that it may. */
export interface CallerKey {
  readonly kind: 'api_key';
  readonly apiKeyId: string;
  /** The first characters of the key: what its owner and the logs call it. */
  readonly keyHint: string;
  /** Null: valid in all the owner's organizations. */
  readonly organizationId: string | null;
  readonly expiresAt: Date | null;
  readonly rateLimitPerMinute: number;
}

/** Live roles (SPEC API-organizations); any other word carries no rights. */
export const LIVE_ROLES = ['owner', 'admin'] as const;

/** What an organization has subscribed to, as it is stored; billing/plans.ts knows what that entitles to. */
export interface Subscription {
  readonly plan: string;
  /** Entitlements that the operator has set for this organization alone. */
  readonly overrides: Readonly<Record<string, number | null>>;
  readonly isSuspended: boolean;
}

/** A caller acting in an organization that it is a member of. */
export interface Scope {
  readonly caller: Caller;
  readonly organizationId: string;
  readonly role: string;
  /** As of the beginning of the request. */
  readonly subscription: Subscription;
  /** How many runs stand above the run that makes this request (run-depth.ts); undefined: no run of this service makes it. */
  readonly callingRunDepth?: number;
}
