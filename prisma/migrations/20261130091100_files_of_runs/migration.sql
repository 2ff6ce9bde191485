-- Which runs refer to a file: it lives as long as one of them has its values.
BEGIN;
CREATE TABLE "file_references" (
    "run_pk" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    CONSTRAINT "file_references_pkey" PRIMARY KEY ("run_pk", "file_id"),
    CONSTRAINT "file_references_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "files"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "file_references_file_id_idx" ON "file_references"("file_id");
ALTER TABLE "file_references" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "file_references" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);

-- By row, not by statement: most runs refer to no file, and cost nothing here.
CREATE FUNCTION "keep_file"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE files f SET due_at = NULL WHERE f.id = NEW.file_id AND f.due_at IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER "file_references_keep" AFTER INSERT ON "file_references" FOR EACH ROW EXECUTE FUNCTION "keep_file"();

-- The file is locked before other references are looked for: two deletions would each see the reference that the other one deletes.
CREATE FUNCTION "release_file"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM files f WHERE f.id = OLD.file_id FOR NO KEY UPDATE;
    UPDATE files f SET due_at = now()
    WHERE f.id = OLD.file_id AND NOT EXISTS (SELECT 1 FROM file_references other WHERE other.file_id = f.id);
    RETURN NULL;
END $$;
CREATE TRIGGER "file_references_release" AFTER DELETE ON "file_references" FOR EACH ROW EXECUTE FUNCTION "release_file"();
COMMIT;

-- In a transaction of its own: it locks the runs.
BEGIN;
ALTER TABLE "file_references" ADD CONSTRAINT "file_references_run_pk_fkey"
    FOREIGN KEY ("run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
