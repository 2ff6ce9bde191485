-- The ledger of effects: what runs have done, or may have done, outside of the service. A row has neither a request nor a secret.
-- It belongs to an attempt of a step: of a link to a person, `attempt` is the number of the message, and `number` that of the link.
CREATE TABLE "run_effects" (
    "run_pk" UUID NOT NULL,
    "step_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID,
    "created_by" UUID,
    "node_id" TEXT NOT NULL,
    "door" TEXT NOT NULL,
    "target" JSONB NOT NULL,
    "host" TEXT,
    "credential_id" UUID,
    "effect" TEXT NOT NULL,
    "digest" TEXT,
    "outcome" TEXT NOT NULL,
    "error_code" TEXT,
    "approved_by_interrupt" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "run_effects_pkey" PRIMARY KEY ("run_pk", "step_id", "attempt", "number"),
    CONSTRAINT "run_effects_outcome_check" CHECK ("outcome" IN ('done', 'refused', 'not_sent', 'unknown', 'settled')),
    CONSTRAINT "run_effects_run_pk_fkey" FOREIGN KEY ("run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- One for each filter of the list, in its order. Those without the value that most rows have: a page of that one is found in the list of all.
CREATE INDEX "run_effects_organization_id_created_at_id_idx" ON "run_effects"("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "run_effects_organization_id_host_created_at_id_idx" ON "run_effects"("organization_id", "host", "created_at" DESC, "id" DESC);
CREATE INDEX "run_effects_organization_id_effect_created_at_id_idx" ON "run_effects"("organization_id", "effect", "created_at" DESC, "id" DESC);
CREATE INDEX "run_effects_workflow_id_created_at_id_idx" ON "run_effects"("workflow_id", "created_at" DESC, "id" DESC);
CREATE INDEX "run_effects_by_credential_idx" ON "run_effects"("credential_id", "created_at" DESC, "id" DESC) WHERE "credential_id" IS NOT NULL;
CREATE INDEX "run_effects_by_person_idx" ON "run_effects"("organization_id", "created_by", "created_at" DESC, "id" DESC) WHERE "created_by" IS NOT NULL;
CREATE INDEX "run_effects_by_door_idx" ON "run_effects"("organization_id", "door", "created_at" DESC, "id" DESC) WHERE "door" <> 'http';
CREATE INDEX "run_effects_by_outcome_idx" ON "run_effects"("organization_id", "outcome", "created_at" DESC, "id" DESC) WHERE "outcome" <> 'done';
ALTER TABLE "run_effects" ENABLE ROW LEVEL SECURITY;
-- Sub-selects are evaluated once for a statement, not for each row.
CREATE POLICY of_organization ON "run_effects" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);

-- Writes the effects of steps of one run; the run gives their organization, workflow and person. Knowledge is only gained: an outcome that is
-- known stays. A repeated request that was answered settles what its earlier attempts have left unknown, when it may be repeated.
-- @param steps only of these; NULL: of all
CREATE FUNCTION "record_effects"("run" UUID, "effects" JSON, "steps" UUID[])
RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    WITH given AS MATERIALIZED (
        SELECT * FROM json_populate_recordset(NULL::run_effects, effects) e WHERE steps IS NULL OR e.step_id = ANY (steps)
    ), settled AS (
        UPDATE run_effects AS k SET outcome = 'settled' FROM given g
        WHERE g.attempt > 1 AND g.outcome = 'done' AND g.effect = 'idempotent'
          AND k.run_pk = run AND k.step_id = g.step_id AND k.attempt < g.attempt AND k.outcome = 'unknown'
    )
    INSERT INTO run_effects AS k (
        run_pk, step_id, attempt, number, organization_id, workflow_id, created_by, node_id, door, target, host, credential_id, effect,
        digest, approved_by_interrupt, outcome, error_code, created_at)
    SELECT run, g.step_id, g.attempt, g.number, r.organization_id, r.workflow_id, r.created_by, g.node_id, g.door, g.target, g.host,
           g.credential_id, g.effect, g.digest, g.approved_by_interrupt, g.outcome, g.error_code, g.created_at
    FROM given g JOIN runs r ON r.id = run
    ON CONFLICT (run_pk, step_id, attempt, number) DO UPDATE SET
        target = EXCLUDED.target, host = EXCLUDED.host, digest = EXCLUDED.digest, outcome = EXCLUDED.outcome, error_code = EXCLUDED.error_code
    WHERE k.outcome IN ('unknown', 'not_sent') AND EXCLUDED.digest IS NOT NULL;
END $$;

-- As before, with the effects of the steps, which builds before it do not give. A write that counts the attempt on may keep when the request
-- was sent: the step of a question about an unknown outcome does.
DROP FUNCTION "write_steps"(UUID, UUID, UUID, JSON, TEXT[], TEXT[], UUID[], TEXT[], TEXT[]);
CREATE FUNCTION "write_steps"(
    "run" UUID, "root" UUID, "organization" UUID, "steps" JSON, "field_names" TEXT[], "field_values" TEXT[],
    "event_steps" UUID[], "event_types" TEXT[], "event_payloads" TEXT[],
    "effects" JSON DEFAULT NULL)
RETURNS UUID[] LANGUAGE plpgsql AS $$
DECLARE
    written UUID[];
BEGIN
    PERFORM 1 FROM runs r WHERE r.id = run AND r.root_run_pk = root AND r.organization_id = organization
      AND r.status = 'running' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    WITH given AS (
        INSERT INTO run_steps AS s (
            step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, item_index, turn, call, parent_step_id,
            iteration, depth, position, status, effect, attempt, attempts, held_by, sent_at, input, output, error,
            error_handled, selected_handle, warnings, usage, logs, tool_calls, child_run_pk, outcome, updates, ended, started_at, completed_at)
        SELECT
            step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, item_index, turn, call, parent_step_id,
            iteration, depth, position, status, effect, attempt, attempts, held_by, sent_at, input, output, error,
            error_handled, selected_handle, warnings, usage, logs, tool_calls, child_run_pk, outcome, updates,
            CASE WHEN outcome IS NOT NULL THEN nextval('run_step_ends') END, started_at, completed_at
        FROM json_populate_recordset(NULL::run_steps, steps)
        ON CONFLICT (run_pk, node_id, visit, item_index, turn, call) DO UPDATE SET
            status = EXCLUDED.status, attempt = EXCLUDED.attempt, attempts = EXCLUDED.attempts, held_by = EXCLUDED.held_by,
            sent_at = CASE WHEN s.attempt = EXCLUDED.attempt THEN s.sent_at ELSE EXCLUDED.sent_at END,
            input = EXCLUDED.input, output = EXCLUDED.output, error = EXCLUDED.error,
            error_handled = EXCLUDED.error_handled, selected_handle = EXCLUDED.selected_handle,
            warnings = EXCLUDED.warnings, usage = EXCLUDED.usage, logs = EXCLUDED.logs, tool_calls = EXCLUDED.tool_calls,
            child_run_pk = EXCLUDED.child_run_pk, outcome = EXCLUDED.outcome, updates = EXCLUDED.updates,
            ended = EXCLUDED.ended, completed_at = EXCLUDED.completed_at
        WHERE s.step_id = EXCLUDED.step_id AND s.attempt <= EXCLUDED.attempt AND s.outcome IS NULL
          AND s.status IN ('running', 'interrupted')
        RETURNING s.step_id
    )
    SELECT coalesce(array_agg(given.step_id), '{}') INTO written FROM given;
    IF cardinality(field_names) > 0 THEN
        INSERT INTO run_fields (root_run_pk, name, value)
        SELECT root, f.name, f.value::json FROM unnest(field_names, field_values) AS f (name, value)
        ON CONFLICT (root_run_pk, name) DO UPDATE SET value = EXCLUDED.value;
    END IF;
    IF event_steps IS NOT NULL THEN
        SELECT array_agg(e.type ORDER BY e.ord), array_agg(e.payload ORDER BY e.ord) INTO event_types, event_payloads
        FROM unnest(event_steps, event_types, event_payloads) WITH ORDINALITY AS e (step_id, type, payload, ord)
        WHERE e.step_id = ANY (written);
    END IF;
    IF cardinality(event_types) > 0 THEN
        PERFORM append_events(run, event_types, event_payloads);
    END IF;
    IF effects IS NOT NULL THEN
        PERFORM record_effects(run, effects, written);
    END IF;
    RETURN written;
END $$;
