-- A search by text reads the runs of each name that has the text, in the order of the list; the ended runs of a workflow are read by status.
-- CREATE INDEX without CONCURRENTLY: a migration is a transaction, and starts of runs wait for it.
CREATE INDEX "runs_organization_id_workflow_name_created_at_id_idx" ON "runs"("organization_id", "workflow_name", "created_at" DESC, "id" DESC);
CREATE INDEX "runs_of_workflow_by_status_idx" ON "runs"("workflow_id", "status", "created_at" DESC, "id" DESC)
    WHERE "status" IN ('failed', 'cancelled', 'interrupted');
