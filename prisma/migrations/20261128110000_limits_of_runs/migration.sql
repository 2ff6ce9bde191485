-- The limits of a run are read with each of its nodes. In `config` they stand beside the inputs, which may have megabytes, and PostgreSQL
-- parses a whole JSON text to find one key. Null: a build before these columns has inserted the row, and its `config` has them.
BEGIN;
ALTER TABLE "runs" ADD COLUMN "recursion_limit" INTEGER, ADD COLUMN "batch_interval_ms" INTEGER;

CREATE OR REPLACE VIEW "segments" AS
SELECT r.* FROM "runs" r
WHERE (SELECT current_user <> 'workflow_tenant')
   OR r."organization_id" = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid);
CREATE OR REPLACE VIEW "newest_segments" AS
SELECT r.* FROM "segments" r WHERE NOT EXISTS (SELECT FROM "runs" s WHERE s."resumed_from_run_pk" = r."id");
COMMIT;
