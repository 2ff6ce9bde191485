-- Days that the values of ended runs are kept; null: as long as the runs.
ALTER TABLE "organizations"
    ADD COLUMN "value_retention_days" INTEGER
        CONSTRAINT "organizations_value_retention_days_check" CHECK ("value_retention_days" BETWEEN 1 AND 3650);

-- The retention of one workflow, in place of its organization's; null: the organization's.
CREATE TABLE "workflow_retention" (
    "workflow_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "run_retention_days" INTEGER,
    "value_retention_days" INTEGER,
    CONSTRAINT "workflow_retention_pkey" PRIMARY KEY ("workflow_id"),
    CONSTRAINT "workflow_retention_days_check"
        CHECK ("run_retention_days" BETWEEN 1 AND 3650 AND "value_retention_days" BETWEEN 1 AND 3650),
    CONSTRAINT "workflow_retention_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "workflow_retention_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "workflow_retention_organization_id_idx" ON "workflow_retention"("organization_id");

ALTER TABLE "runs" ADD COLUMN "values_deleted_at" TIMESTAMPTZ(3);
CREATE OR REPLACE VIEW "newest_segments" AS
SELECT r.* FROM "runs" r WHERE NOT EXISTS (SELECT FROM "runs" s WHERE s."resumed_from_run_pk" = r."id");

-- First segments that still have values, by age: a sweep does not read those whose values are gone.
CREATE INDEX "runs_with_values_idx" ON "runs"("organization_id", "created_at")
    WHERE "values_deleted_at" IS NULL AND "parent_run_pk" IS NULL AND "resumed_from_run_pk" IS NULL;
-- The history filtered by a status that few runs have.
CREATE INDEX "runs_by_status_idx" ON "runs"("organization_id", "status", "created_at" DESC, "id" DESC)
    WHERE "status" IN ('failed', 'cancelled', 'interrupted');
-- Segments that still have events, by age, and events with tokens: sweeps read what they delete, and what is open.
CREATE INDEX "run_events_first_idx" ON "run_events"("created_at") WHERE "seq" = 1;
CREATE INDEX "run_events_tokens_idx" ON "run_events"("created_at") WHERE "type" IN ('token', 'token_reset');

-- Rows are deleted soon after they are written, so dead rows are to be found when they are 2 % of a large table, not 20 %.
ALTER TABLE "run_events" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE "run_steps" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE "runs" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Exports and erasures: they outlive the organization, whose receipt they are.
CREATE TABLE "data_jobs" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "stage" INTEGER NOT NULL DEFAULT 0,
    "cursor" JSONB,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "parts" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "digest" TEXT,
    "requested_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    CONSTRAINT "data_jobs_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "data_jobs_kind_check" CHECK ("kind" IN ('export', 'erasure')),
    CONSTRAINT "data_jobs_status_check" CHECK ("status" IN ('pending', 'running', 'completed'))
);
CREATE INDEX "data_jobs_organization_id_created_at_id_idx" ON "data_jobs"("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "data_jobs_expires_at_idx" ON "data_jobs"("expires_at") WHERE "expires_at" IS NOT NULL;

-- An export in pieces, each a gzip member of its own: their concatenation is one file.
CREATE TABLE "data_job_parts" (
    "job_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    CONSTRAINT "data_job_parts_pkey" PRIMARY KEY ("job_id", "part"),
    CONSTRAINT "data_job_parts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "data_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- They are compressed already.
ALTER TABLE "data_job_parts" ALTER COLUMN "content" SET STORAGE EXTERNAL;

ALTER TABLE "outbox" DROP CONSTRAINT "outbox_kind_check";
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_kind_check"
    CHECK ("kind" IN ('start', 'resume', 'cancel', 'waits', 'schedule', 'ingest', 'error_run', 'data_job'));
