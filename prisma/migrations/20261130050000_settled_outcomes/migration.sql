-- Steps that have failed with an unknown outcome, and on which a person has decided: one row, so one decision, for each.
CREATE TABLE "settled_outcomes" (
    "step_id" UUID NOT NULL,
    "run_pk" UUID NOT NULL,
    "root_run_pk" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "output" JSON,
    "settled_by" UUID,
    "settled_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    -- The rerun that sends the request once more: there is one.
    "rerun_run_pk" UUID,
    CONSTRAINT "settled_outcomes_pkey" PRIMARY KEY ("step_id"),
    CONSTRAINT "settled_outcomes_action_check" CHECK ("action" IN ('happened', 'send', 'give_up')),
    CONSTRAINT "settled_outcomes_run_pk_fkey" FOREIGN KEY ("run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "settled_outcomes_run_pk_idx" ON "settled_outcomes"("run_pk");
CREATE INDEX "settled_outcomes_root_run_pk_idx" ON "settled_outcomes"("root_run_pk");
ALTER TABLE "settled_outcomes" ENABLE ROW LEVEL SECURITY;
-- Sub-selects are evaluated once for a statement, not for each row.
CREATE POLICY of_organization ON "settled_outcomes" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);

-- What a person has given up is no longer in the list of unknown outcomes.
ALTER TABLE "run_effects" DROP CONSTRAINT "run_effects_outcome_check";
ALTER TABLE "run_effects" ADD CONSTRAINT "run_effects_outcome_check" CHECK ("outcome" IN ('done', 'refused', 'not_sent', 'unknown', 'settled', 'given_up')) NOT VALID;
CREATE INDEX "run_effects_unsettled_idx" ON "run_effects"("organization_id", "created_at" DESC, "id" DESC) WHERE "outcome" = 'unknown' AND "effect" = 'at_most_once';
