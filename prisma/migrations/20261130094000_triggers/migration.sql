-- Webhooks and schedules that the definition of a workflow names: they go live and down with a version. While no live version has its
-- trigger, such a row is disabled, and keeps whether people had it enabled.
BEGIN;
ALTER TABLE "hooks" ADD COLUMN "thread_id" TEXT,
    ADD COLUMN "trigger_id" TEXT,
    ADD COLUMN "enabled_when_live" BOOLEAN;
CREATE UNIQUE INDEX "hooks_workflow_id_trigger_id_key" ON "hooks"("workflow_id", "trigger_id");
DROP TRIGGER "audit_hooks" ON "hooks";
CREATE TRIGGER "audit_hooks" AFTER INSERT OR DELETE OR UPDATE OF "name", "enabled", "verification", "signature", "methods", "filter", "mapping", "thread_id", "response", "deduplicate_by", "id_header", "token_hash", "ciphertext" ON "hooks"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('hook', 'id,organization_id,name', 'name!', 'verification!', 'signature', 'methods!', 'filter', 'mapping', 'thread_id', 'response', 'deduplicate_by!', 'id_header!', 'enabled!=enabled/disabled', 'ciphertext=secret_changed', 'token_hash=rotated');
COMMIT;

BEGIN;
ALTER TABLE "schedules" ADD COLUMN "trigger_id" TEXT,
    ADD COLUMN "enabled_when_live" BOOLEAN;
CREATE UNIQUE INDEX "schedules_workflow_id_trigger_id_key" ON "schedules"("workflow_id", "trigger_id");

-- A version that goes down is no fault of its schedules.
DROP TRIGGER "schedules_notify_disabling" ON "schedules";
CREATE TRIGGER "schedules_notify_disabling" AFTER UPDATE OF "enabled" ON "schedules" FOR EACH ROW
    WHEN (OLD.enabled AND NOT NEW.enabled AND NEW.enabled_when_live IS NULL) EXECUTE FUNCTION "schedules_notify_disabling"();
COMMIT;
