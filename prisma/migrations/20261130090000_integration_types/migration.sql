-- Integration types that an organization makes: where the secrets of its credentials belong, as data.
BEGIN;
CREATE TABLE "integration_types" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "base_url" TEXT,
    "allowed_hosts" TEXT[] NOT NULL DEFAULT '{}',
    "auth" JSONB NOT NULL,
    "test" JSONB,
    -- The secret of the organization's own OAuth client; null: it has none.
    "key_id" TEXT,
    "wrapped_key" BYTEA,
    "ciphertext" BYTEA,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "integration_types_pkey" PRIMARY KEY ("id"),
    -- No entry of the catalog begins so, now or later.
    CONSTRAINT "integration_types_name_check" CHECK ("name" LIKE 'custom-%'),
    CONSTRAINT "integration_types_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "integration_types_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "integration_types_organization_id_name_key" ON "integration_types"("organization_id", "name");
CREATE INDEX "integration_types_key_id_idx" ON "integration_types"("key_id");
ALTER TABLE "integration_types" ENABLE ROW LEVEL SECURITY;
-- Sub-selects are evaluated once for a statement, not for each row.
CREATE POLICY of_organization ON "integration_types" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);
CREATE TRIGGER "audit_integration_types" AFTER INSERT OR DELETE OR UPDATE OF "display_name", "description", "base_url", "allowed_hosts", "auth", "test", "ciphertext" ON "integration_types"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('integration_type', 'id,organization_id,name', 'display_name!', 'description', 'base_url!', 'allowed_hosts!', 'auth', 'test', 'ciphertext=secret_changed');
COMMIT;
