-- Authorizations that a user has begun at a provider and not finished. The state itself is with the browser; here is its
-- hash. The PKCE verifier is sealed as the secret of the credential that it will become.
CREATE TABLE "oauth_authorizations" (
    "state_hash" BYTEA NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "renews" BOOLEAN NOT NULL,
    "integration" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "key_id" TEXT NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "oauth_authorizations_pkey" PRIMARY KEY ("state_hash"),
    CONSTRAINT "oauth_authorizations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "oauth_authorizations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "oauth_authorizations_expires_at_idx" ON "oauth_authorizations"("expires_at");

-- Until when one process alone renews the tokens of a credential.
ALTER TABLE "credentials" ADD COLUMN "renewing_until" TIMESTAMPTZ(3);
