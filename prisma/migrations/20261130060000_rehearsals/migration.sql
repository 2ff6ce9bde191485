-- Rehearsals: recorded runs of a workflow are walked again in another definition, and nothing is sent.
BEGIN;
CREATE TABLE "rehearsals" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    -- `draft` or `live`, as it was when the rehearsal was asked for.
    "source" TEXT NOT NULL,
    "definition_hash" TEXT NOT NULL,
    -- As text, not binary: it is read as a whole.
    "definition" JSON NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    -- First segments, newest run first.
    "root_run_pks" UUID[] NOT NULL,
    -- How many of them are walked.
    "walked" INTEGER NOT NULL DEFAULT 0,
    -- Runs by verdict.
    "counts" JSONB NOT NULL DEFAULT '{}',
    -- Until then a worker walks it; after it, any worker may.
    "claimed_until" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now() + interval '30 days',
    CONSTRAINT "rehearsals_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "rehearsals_source_check" CHECK ("source" IN ('draft', 'live')),
    CONSTRAINT "rehearsals_status_check" CHECK ("status" IN ('pending', 'running', 'completed', 'cancelled')),
    CONSTRAINT "rehearsals_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "rehearsals_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "rehearsals_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "rehearsals_organization_id_idx" ON "rehearsals"("organization_id");
CREATE INDEX "rehearsals_workflow_id_created_at_id_idx" ON "rehearsals"("workflow_id", "created_at" DESC, "id" DESC);
-- An open one of a workflow excludes another.
CREATE UNIQUE INDEX "rehearsals_open_key" ON "rehearsals"("workflow_id") WHERE "status" IN ('pending', 'running');
CREATE INDEX "rehearsals_claimed_until_idx" ON "rehearsals"("claimed_until") WHERE "status" IN ('pending', 'running');
CREATE INDEX "rehearsals_expires_at_idx" ON "rehearsals"("expires_at");
ALTER TABLE "rehearsals" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "rehearsals" USING ((SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid));
COMMIT;

-- Apart, so that it holds the locks of no other table while it waits for those of runs.
BEGIN;
CREATE TABLE "rehearsed_runs" (
    "rehearsal_id" UUID NOT NULL,
    -- The index of the run in `root_run_pks`.
    "place" INTEGER NOT NULL,
    "organization_id" UUID NOT NULL,
    "root_run_pk" UUID NOT NULL,
    "verdict" TEXT NOT NULL,
    -- Why the record does not tell; null: it does.
    "doubt" TEXT,
    -- Runs with the same differences have the same key.
    "group_key" TEXT NOT NULL,
    "differences" JSON NOT NULL DEFAULT '[]',
    "first_change" JSON,
    CONSTRAINT "rehearsed_runs_pkey" PRIMARY KEY ("rehearsal_id", "place"),
    CONSTRAINT "rehearsed_runs_rehearsal_id_fkey" FOREIGN KEY ("rehearsal_id") REFERENCES "rehearsals"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "rehearsed_runs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "rehearsed_runs_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "rehearsed_runs_organization_id_idx" ON "rehearsed_runs"("organization_id");
CREATE INDEX "rehearsed_runs_root_run_pk_idx" ON "rehearsed_runs"("root_run_pk");
ALTER TABLE "rehearsed_runs" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "rehearsed_runs" USING ((SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid));
COMMIT;
