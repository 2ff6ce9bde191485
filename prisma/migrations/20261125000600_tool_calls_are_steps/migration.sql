-- A tool call of an agent is a step below that of its agent: of which turn it is (from 1), and which of its calls (from 0). Nodes
-- and items of maps have zeros. What was asked for, and waits for a word of people or for its turn, stands in the turn's reply.
ALTER TABLE "run_steps" ADD COLUMN "turn" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "call" INTEGER NOT NULL DEFAULT 0;
DROP INDEX "run_steps_run_pk_node_id_visit_item_index_key";
CREATE UNIQUE INDEX "run_steps_run_pk_node_id_visit_item_index_turn_call_key"
    ON "run_steps"("run_pk", "node_id", "visit", "item_index", "turn", "call");
DROP TABLE "agent_calls";

-- As before, and with the place of a tool call.
CREATE OR REPLACE FUNCTION "write_steps"(
    "run" UUID, "root" UUID, "organization" UUID, "steps" JSON, "field_names" TEXT[], "field_values" TEXT[],
    "event_steps" UUID[], "event_types" TEXT[], "event_payloads" TEXT[])
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
            sent_at = CASE WHEN s.attempt = EXCLUDED.attempt THEN s.sent_at END,
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
    RETURN written;
END $$;

-- As before; an error of a tool is for its model to handle, and no handled error of the run.
CREATE OR REPLACE FUNCTION "close_summed"(
    "run" UUID, "root" UUID, "statuses" TEXT[], "next_status" TEXT, "frame" TEXT, "new_output" TEXT, "new_summary" TEXT,
    "new_error" TEXT, "plans" JSONB)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    input_tokens BIGINT;
    output_tokens BIGINT;
    total_tokens BIGINT;
    handled INTEGER;
    credits_mc BIGINT;
    used TEXT;
    sums TEXT;
BEGIN
    SELECT sum((s.usage->>'input_tokens')::bigint), sum((s.usage->>'output_tokens')::bigint),
           sum((s.usage->>'total_tokens')::bigint), count(*) FILTER (WHERE s.error_handled AND s.turn = 0)
    INTO input_tokens, output_tokens, total_tokens, handled
    FROM run_steps s WHERE s.root_run_pk = root;
    IF total_tokens IS NOT NULL THEN
        used := format('{"input_tokens":%s,"output_tokens":%s,"total_tokens":%s}',
                       coalesce(input_tokens, 0), coalesce(output_tokens, 0), total_tokens);
    END IF;
    sums := ',"usage":' || coalesce(used, 'null');
    -- A segment that waits is charged when it ends.
    IF next_status <> 'interrupted' THEN
        WITH RECURSIVE tree AS (
            SELECT run AS run_pk UNION SELECT r.id FROM tree JOIN runs r ON r.parent_run_pk = tree.run_pk
        )
        SELECT coalesce(sum(u.credits_mc), 0) INTO credits_mc
        FROM tree JOIN credit_usage u ON u.subject_id = tree.run_pk;
        sums := sums || ',"credits":' || trim_scale(credits_mc / 1000.0);
    END IF;
    RETURN close_run(run, statuses, next_status, left(frame, -1) || sums || ',"handled_error_count":' || handled || '}',
                     new_output, new_summary, new_error, used, handled, NULL, plans);
END $$;
