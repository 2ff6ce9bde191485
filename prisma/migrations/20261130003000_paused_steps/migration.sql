-- As before; a write that counts the attempt on may keep when the request was sent: the step of a question about an unknown outcome does.
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
    RETURN written;
END $$;
