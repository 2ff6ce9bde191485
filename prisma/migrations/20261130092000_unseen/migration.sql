-- Items of polls that a run was offered, until the effect that they are for has ended.
BEGIN;
ALTER TABLE "data_tables" ADD COLUMN "polled_at" TIMESTAMPTZ(3);
CREATE TABLE "data_claims" (
    "table_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    -- The first segment of the run. No foreign key: a claim is void once its run has ended or is gone.
    "root_run_pk" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT "data_claims_pkey" PRIMARY KEY ("table_id", "key"),
    CONSTRAINT "data_claims_table_id_fkey" FOREIGN KEY ("table_id") REFERENCES "data_tables"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "data_claims_root_run_pk_idx" ON "data_claims"("root_run_pk");
ALTER TABLE "data_claims" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "data_claims" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);
COMMIT;

BEGIN;
-- Marks keys as seen, in the transaction that ends the step which has acted on them. Their room was kept by their claims, so no limit refuses it.
-- A row that is there stays, but for one of an unknown outcome. Without the table nothing is marked.
CREATE FUNCTION "mark_seen"("in_table" UUID, "of_organization" UUID, "keys" TEXT[], "how" TEXT, "by_run" UUID, "by_step" UUID)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    behind BIGINT;
BEGIN
    SELECT t.last_version INTO behind FROM data_tables t WHERE t.id = in_table AND t.organization_id = of_organization FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    WITH put AS (
        INSERT INTO data_rows AS r (table_id, organization_id, key, value, version, run_pk, step_id)
        SELECT in_table, of_organization, k.key, json_build_object('seen', how), behind + 1, by_run, by_step
        FROM (SELECT DISTINCT unnest(keys) AS key) AS k
        ON CONFLICT (table_id, key) DO UPDATE SET value = EXCLUDED.value, version = r.version + 1, updated_by = NULL,
            run_pk = EXCLUDED.run_pk, step_id = EXCLUDED.step_id, updated_at = clock_timestamp()
        WHERE r.value->>'seen' = 'unknown'
        RETURNING r.version = behind + 1 AND r.xmax = 0 AS is_new
    )
    UPDATE data_tables t SET row_count = t.row_count + (SELECT count(*) FROM put WHERE is_new) WHERE t.id = in_table;
    DELETE FROM data_claims c WHERE c.table_id = in_table AND c.key = ANY (keys);
END $$;

-- Offers the first keys that have no row and that no open run has been offered. The table is locked, so of two runs one is offered a key.
-- @param first of the first call for the table: most keys that are offered, the others are marked; null: as ever
-- @returns {refused}; else {offered: their places in `keys`, from 1, seen, busy, left}
CREATE FUNCTION "claim_unseen"(
    "in_table" UUID, "of_organization" UUID, "by_root" UUID, "by_run" UUID, "by_step" UUID, "keys" TEXT[], "first" INTEGER,
    "most" INTEGER, "max_rows" INTEGER)
RETURNS JSON LANGUAGE plpgsql AS $$
DECLARE
    held RECORD;
    claimed INTEGER;
    room INTEGER;
    asked INTEGER;
    is_busy INTEGER;
    fresh TEXT[];
    offered TEXT[];
BEGIN
    SELECT t.row_count, t.polled_at INTO held FROM data_tables t WHERE t.id = in_table AND t.organization_id = of_organization
    FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN json_build_object('refused', 'table_not_found'); END IF;
    -- Before the rows are read: a run that has ended by then has marked by then.
    DELETE FROM data_claims c WHERE c.table_id = in_table AND NOT EXISTS (
        SELECT 1 FROM runs r WHERE r.root_run_pk = c.root_run_pk
          AND (r.status = 'running' OR r.status = 'interrupted' AND NOT EXISTS (SELECT 1 FROM runs n WHERE n.resumed_from_run_pk = r.id)));
    SELECT count(*) INTO claimed FROM data_claims c WHERE c.table_id = in_table;
    WITH given AS MATERIALIZED (
        SELECT k.key, min(k.ord) AS ord FROM unnest(keys) WITH ORDINALITY AS k (key, ord) GROUP BY k.key
    ), judged AS (
        SELECT g.key, g.ord,
               EXISTS (SELECT 1 FROM data_rows r WHERE r.table_id = in_table AND r.key = g.key) AS is_seen,
               EXISTS (SELECT 1 FROM data_claims c WHERE c.table_id = in_table AND c.key = g.key) AS is_claimed
        FROM given g
    )
    SELECT count(*), count(*) FILTER (WHERE is_claimed AND NOT is_seen),
           coalesce(array_agg(key ORDER BY ord) FILTER (WHERE NOT is_seen AND NOT is_claimed), '{}')
    INTO asked, is_busy, fresh FROM judged;
    room := greatest(max_rows - held.row_count - claimed, 0);
    IF held.polled_at IS NULL THEN
        UPDATE data_tables t SET polled_at = clock_timestamp() WHERE t.id = in_table;
        IF first IS NOT NULL AND cardinality(fresh) > first THEN
            IF cardinality(fresh) > room THEN
                RETURN json_build_object('refused', 'table_full', 'limit', max_rows, 'current', held.row_count);
            END IF;
            PERFORM mark_seen(in_table, of_organization, fresh[first + 1:], 'skipped', by_run, by_step);
            fresh := fresh[:first];
        END IF;
    END IF;
    IF cardinality(fresh) > 0 AND room = 0 THEN
        RETURN json_build_object('refused', 'table_full', 'limit', max_rows, 'current', held.row_count);
    END IF;
    offered := fresh[:least(most, room)];
    INSERT INTO data_claims (table_id, organization_id, key, root_run_pk)
    SELECT in_table, of_organization, o.key, by_root FROM unnest(offered) AS o (key);
    RETURN json_build_object(
        'offered', coalesce((SELECT json_agg(k.ord ORDER BY k.ord) FROM (
            SELECT min(k.ord) AS ord FROM unnest(keys) WITH ORDINALITY AS k (key, ord) WHERE k.key = ANY (offered) GROUP BY k.key) AS k), '[]'),
        'seen', asked - is_busy - cardinality(fresh), 'busy', is_busy, 'left', cardinality(fresh) - cardinality(offered));
END $$;

-- As before, with the keys that the steps mark as seen.
CREATE OR REPLACE FUNCTION "write_steps"(
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
    IF strpos(steps::text, '"marks":') > 0 THEN
        PERFORM mark_seen((m->>'table_id')::uuid, organization, ARRAY(SELECT json_array_elements_text(m->'keys')), m->>'seen', run, s.step_id)
        FROM json_to_recordset(steps) AS s (step_id UUID, marks JSON), json_array_elements(s.marks) AS m
        WHERE s.step_id = ANY (written)
        -- One order of tables for all writers.
        ORDER BY m->>'table_id';
    END IF;
    RETURN written;
END $$;
COMMIT;
