-- The budgets of the runs that have called a sub-workflow, from the top: [{root_run_pk, max_credits_mc, max_model_calls, max_effects}].
BEGIN;
-- In the order of statements that read them, the views before their table: otherwise each would wait for the other.
LOCK TABLE "newest_segments" IN ACCESS EXCLUSIVE MODE;
ALTER TABLE "runs" ADD COLUMN "caller_budgets" JSONB;
CREATE OR REPLACE VIEW "segments" AS
SELECT r.* FROM "runs" r
WHERE (SELECT current_user <> 'workflow_tenant')
   OR r."organization_id" = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid);
CREATE OR REPLACE VIEW "newest_segments" AS
SELECT r.* FROM "segments" r WHERE NOT EXISTS (SELECT FROM "runs" s WHERE s."resumed_from_run_pk" = r."id");
COMMIT;
