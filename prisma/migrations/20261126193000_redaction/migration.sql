-- Paths whose values are replaced before they are stored; those of a workflow are added to its organization's.
ALTER TABLE "organizations" ADD COLUMN "redacted_paths" TEXT[] NOT NULL DEFAULT '{}'
    CONSTRAINT "organizations_redacted_paths_check" CHECK (cardinality("redacted_paths") <= 50);
ALTER TABLE "workflow_retention" ADD COLUMN "redacted_paths" TEXT[] NOT NULL DEFAULT '{}'
    CONSTRAINT "workflow_retention_redacted_paths_check" CHECK (cardinality("redacted_paths") <= 50);

-- The paths of a run, as they were when it was accepted; null: none.
ALTER TABLE "runs" ADD COLUMN "redacted_paths" TEXT[];
CREATE OR REPLACE VIEW "newest_segments" AS
SELECT r.* FROM "runs" r WHERE NOT EXISTS (SELECT FROM "runs" s WHERE s."resumed_from_run_pk" = r."id");

DROP TRIGGER "audit_organizations" ON "organizations";
CREATE TRIGGER "audit_organizations" AFTER INSERT OR DELETE OR UPDATE OF "name", "domain", "plan", "entitlements", "is_suspended", "is_active", "run_retention_days", "value_retention_days", "redacted_paths", "settings" ON "organizations"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('organization', 'id,id,name', 'name!', 'domain!', 'plan!', 'entitlements!', 'is_suspended!=suspended/resumed', 'is_active!=activated/deactivated', 'run_retention_days!', 'value_retention_days!', 'redacted_paths!', 'settings');
DROP TRIGGER "audit_workflow_retention" ON "workflow_retention";
CREATE TRIGGER "audit_workflow_retention" AFTER INSERT OR DELETE OR UPDATE ON "workflow_retention"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('workflow_retention', 'workflow_id,organization_id,workflow_id', 'run_retention_days!', 'value_retention_days!', 'redacted_paths!');
