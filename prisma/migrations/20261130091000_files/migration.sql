-- Files of an organization: a row is the description of one. Its bytes are in the storage of files, sealed with the key that the row holds.
BEGIN;
CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    -- When it is deleted; null while a run refers to it.
    "due_at" TIMESTAMPTZ(3),
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "key_id" TEXT NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "files_organization_id_created_at_id_idx" ON "files"("organization_id", "created_at", "id");
CREATE INDEX "files_created_by_idx" ON "files"("created_by") WHERE "created_by" IS NOT NULL;
CREATE INDEX "files_due_at_idx" ON "files"("due_at") WHERE "due_at" IS NOT NULL;
ALTER TABLE "files" ENABLE ROW LEVEL SECURITY;
-- Sub-selects are evaluated once for a statement, not for each row.
CREATE POLICY of_organization ON "files" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);
-- Acts of people; what a run made is in its record.
CREATE TRIGGER "audit_files" AFTER INSERT OR DELETE ON "files"
    FOR EACH ROW WHEN (coalesce(current_setting('app.request', true), '') <> '')
    EXECUTE FUNCTION "audit_change"('file', 'id,organization_id,name');

-- Bytes of the files of each organization, which its plan limits.
CREATE TABLE "file_usage" (
    "organization_id" UUID NOT NULL,
    "bytes" BIGINT NOT NULL,
    CONSTRAINT "file_usage_pkey" PRIMARY KEY ("organization_id")
);
ALTER TABLE "file_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "file_usage" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);

-- Bytes that no row of a file names: of an upload until its row is committed, and of a file that was deleted. They are deleted when due,
-- so that a process that is killed leaves none for ever. No organization: they outlive it.
CREATE TABLE "stray_files" (
    "file_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "stray_files_pkey" PRIMARY KEY ("file_id")
);
CREATE INDEX "stray_files_due_at_idx" ON "stray_files"("due_at");

CREATE FUNCTION "forget_file"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stray_files (file_id, due_at) VALUES (OLD.id, now()) ON CONFLICT DO NOTHING;
    -- An empty file has a row and a name, so each counts 1 KiB at least.
    UPDATE file_usage u SET bytes = u.bytes - greatest(OLD.size, 1024) WHERE u.organization_id = OLD.organization_id;
    RETURN NULL;
END $$;
CREATE TRIGGER "files_forget" AFTER DELETE ON "files" FOR EACH ROW EXECUTE FUNCTION "forget_file"();
COMMIT;

-- One table of others at a time: whoever writes to both in another order would wait for this, and this for them.
BEGIN;
ALTER TABLE "files" ADD CONSTRAINT "files_organization_id_fkey"
    FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "files" ADD CONSTRAINT "files_created_by_fkey"
    FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "file_usage" ADD CONSTRAINT "file_usage_organization_id_fkey"
    FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
