-- Accounts of organizations at other services. What is secret is in `ciphertext` alone: AES-256-GCM under a data key of
-- the row's own, which is itself kept encrypted (`wrapped_key`) under the deployment's key named `key_id`.
CREATE TABLE "credentials" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "integration" TEXT NOT NULL,
    "auth_type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "status_message" TEXT,
    "masked" JSONB NOT NULL DEFAULT '{}',
    "scopes" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "allowed_hosts" TEXT[] NOT NULL,
    "key_id" TEXT NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "last_tested_at" TIMESTAMPTZ(3),
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "credentials_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "credentials_status_check" CHECK ("status" IN ('active', 'error', 'revoked')),
    CONSTRAINT "credentials_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "credentials_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "credentials_organization_id_created_at_id_idx" ON "credentials"("organization_id", "created_at" DESC, "id" DESC);
-- Which keys are still needed, and what a re-wrap has left to do.
CREATE INDEX "credentials_key_id_idx" ON "credentials"("key_id");
