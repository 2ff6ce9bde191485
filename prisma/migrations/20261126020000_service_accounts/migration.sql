-- Identities of organizations. Each is a user without a sign-in, so that all records refer to people and programs alike.
CREATE TABLE "service_accounts" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "rate_limit_per_minute" INTEGER NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "deleted_at" TIMESTAMPTZ(3),
    CONSTRAINT "service_accounts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "service_accounts_id_fkey" FOREIGN KEY ("id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "service_accounts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "service_accounts_organization_id_idx" ON "service_accounts"("organization_id");

-- Null for keys of people, which they create for themselves.
ALTER TABLE "api_keys" ADD COLUMN "created_by" UUID;
