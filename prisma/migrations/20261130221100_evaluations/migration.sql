-- Evaluations: the cases of a set in one or more definitions, graded.
BEGIN;
CREATE TABLE "evaluations" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "set_id" UUID NOT NULL,
    -- Each with its source and its hash, as they were when the evaluation was requested. As text, not binary: read as a whole.
    "definitions" JSON NOT NULL,
    "graders" JSON NOT NULL,
    "trials" INTEGER NOT NULL,
    -- The most that runs of it may use together, judges included.
    "max_credits_mc" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "total" INTEGER NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    -- Until then a worker works on it, or it waits for runs; after it, any worker may.
    "claimed_until" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now() + interval '30 days',
    CONSTRAINT "evaluations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "evaluations_status_check" CHECK ("status" IN ('pending', 'running', 'completed', 'cancelled')),
    CONSTRAINT "evaluations_set_id_fkey" FOREIGN KEY ("set_id") REFERENCES "evaluation_sets"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "evaluations_organization_id_created_at_id_idx" ON "evaluations"("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "evaluations_workflow_id_idx" ON "evaluations"("workflow_id");
CREATE INDEX "evaluations_set_id_idx" ON "evaluations"("set_id");
CREATE INDEX "evaluations_created_by_idx" ON "evaluations"("created_by") WHERE "created_by" IS NOT NULL;
-- An open one of a workflow excludes another.
CREATE UNIQUE INDEX "evaluations_open_key" ON "evaluations"("workflow_id") WHERE "status" IN ('pending', 'running');
CREATE INDEX "evaluations_claimed_until_idx" ON "evaluations"("claimed_until") WHERE "status" IN ('pending', 'running');
CREATE INDEX "evaluations_expires_at_idx" ON "evaluations"("expires_at");
ALTER TABLE "evaluations" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "evaluations" USING ((SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid));

CREATE TABLE "evaluation_trials" (
    "evaluation_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "organization_id" UUID NOT NULL,
    -- No foreign key: the result stays when the case goes.
    "case_id" UUID NOT NULL,
    -- The recorded run of the case, whose values the result quotes; null: it has an input of its own.
    "root_run_pk" UUID,
    -- The index of the definition.
    "definition" INTEGER NOT NULL,
    "trial" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    -- Runs that work for it, which are deleted an hour after their end: the workflow's, and the judge's.
    "run_pk" UUID,
    "judge_run_pk" UUID,
    -- The most that the open run may use.
    "reserved_mc" BIGINT NOT NULL DEFAULT 0,
    "used_mc" BIGINT NOT NULL DEFAULT 0,
    "duration_ms" INTEGER,
    "verdict" TEXT,
    -- Why it does not tell; null: it tells.
    "doubt" TEXT,
    "grades" JSON NOT NULL DEFAULT '[]',
    "output" JSON,
    "error" JSON,
    -- What a person says of the output; null: nobody has.
    "mark" BOOLEAN,
    CONSTRAINT "evaluation_trials_pkey" PRIMARY KEY ("evaluation_id", "place"),
    CONSTRAINT "evaluation_trials_status_check" CHECK ("status" IN ('pending', 'running', 'judging', 'done')),
    CONSTRAINT "evaluation_trials_verdict_check" CHECK ("verdict" IN ('passed', 'failed', 'cannot_tell')),
    CONSTRAINT "evaluation_trials_evaluation_id_fkey" FOREIGN KEY ("evaluation_id") REFERENCES "evaluations"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "evaluation_trials_organization_id_idx" ON "evaluation_trials"("organization_id");
CREATE INDEX "evaluation_trials_root_run_pk_idx" ON "evaluation_trials"("root_run_pk") WHERE "root_run_pk" IS NOT NULL;
ALTER TABLE "evaluation_trials" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "evaluation_trials" USING ((SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid));
COMMIT;

-- Each of these locks one table that runs write.
BEGIN;
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "evaluation_trials" ADD CONSTRAINT "evaluation_trials_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
