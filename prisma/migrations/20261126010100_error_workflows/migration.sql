-- The workflow that is started with the facts of each failed run of another. Set by a route, not in the definition, so that it
-- applies without a deployment.
ALTER TABLE "workflows" ADD COLUMN "error_workflow_id" UUID;
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_error_workflow_id_fkey"
    FOREIGN KEY ("error_workflow_id") REFERENCES "workflows"("id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "workflows_error_workflow_id_idx" ON "workflows"("error_workflow_id");

ALTER TABLE "outbox" DROP CONSTRAINT "outbox_kind_check";
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_kind_check"
    CHECK ("kind" IN ('start', 'resume', 'cancel', 'waits', 'schedule', 'ingest', 'error_run'));

-- A run of an error workflow has the trigger `error` and starts none, so there is no loop; test runs and private runs start
-- none either.
CREATE FUNCTION "runs_start_error_workflow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (kind, organization_id, subject_id)
    SELECT 'error_run', NEW.organization_id, NEW.id FROM workflows w
    WHERE w.id = NEW.workflow_id AND w.organization_id = NEW.organization_id AND w.error_workflow_id IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER "runs_start_error_workflow" AFTER UPDATE OF "status" ON "runs" FOR EACH ROW
    WHEN (OLD.status <> NEW.status AND NEW.status = 'failed' AND NEW.workflow_id IS NOT NULL
          AND NEW.parent_run_pk IS NULL AND NOT NEW.is_ad_hoc AND NOT NEW.is_private AND NEW.trigger_type <> 'error')
    EXECUTE FUNCTION "runs_start_error_workflow"();
