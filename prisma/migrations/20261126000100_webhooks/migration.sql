-- Webhooks: addresses at which other services start runs of a workflow. The token of the address and the secrets of the
-- signatures are in `ciphertext` alone, as those of "credentials"; a request finds its hook by the hash of the token.
CREATE TABLE "hooks" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "verification" TEXT NOT NULL DEFAULT 'none',
    "filter" JSON NOT NULL DEFAULT 'null',
    "mapping" JSON NOT NULL DEFAULT 'null',
    "deduplicate_by" TEXT NOT NULL DEFAULT 'sender_id',
    "id_header" TEXT,
    "response" JSON NOT NULL DEFAULT '{"mode": "accepted"}',
    "token_hash" BYTEA NOT NULL,
    "previous_token_hash" BYTEA,
    "previous_token_until" TIMESTAMPTZ(3),
    "key_id" TEXT NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "rejected_count" INTEGER NOT NULL DEFAULT 0,
    "last_rejected_at" TIMESTAMPTZ(3),
    "last_rejected_reason" TEXT,
    "last_delivery_at" TIMESTAMPTZ(3),
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "hooks_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "hooks_verification_check" CHECK ("verification" IN ('none', 'bearer', 'basic', 'standard', 'github', 'stripe', 'slack')),
    CONSTRAINT "hooks_deduplicate_by_check" CHECK ("deduplicate_by" IN ('sender_id', 'content', 'none')),
    CONSTRAINT "hooks_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "hooks_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "hooks_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX "hooks_token_hash_key" ON "hooks"("token_hash");
CREATE INDEX "hooks_previous_token_hash_idx" ON "hooks"("previous_token_hash");
CREATE INDEX "hooks_workflow_id_created_at_id_idx" ON "hooks"("workflow_id", "created_at" DESC, "id" DESC);
CREATE INDEX "hooks_key_id_idx" ON "hooks"("key_id");

-- The log of what verified requests have come to. `duplicate_key` is a hash: requests of one key within 24 hours are one run.
CREATE TABLE "hook_deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "hook_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "outcome" TEXT NOT NULL,
    "error_code" TEXT,
    "error_message" TEXT,
    "run_pk" UUID,
    "run_id" UUID,
    "duplicate_key" TEXT,
    "redelivery_of" UUID,
    "request" JSON NOT NULL,
    CONSTRAINT "hook_deliveries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "hook_deliveries_outcome_check" CHECK ("outcome" IN ('started', 'filtered', 'failed')),
    CONSTRAINT "hook_deliveries_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "hook_deliveries_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "hook_deliveries_hook_id_received_at_id_idx" ON "hook_deliveries"("hook_id", "received_at" DESC, "id" DESC);
CREATE INDEX "hook_deliveries_hook_id_duplicate_key_idx" ON "hook_deliveries"("hook_id", "duplicate_key");
CREATE INDEX "hook_deliveries_received_at_idx" ON "hook_deliveries"("received_at");
CREATE INDEX "hook_deliveries_organization_id_idx" ON "hook_deliveries"("organization_id");
