-- Answers of models that are not whole: cut off, filtered, or refused. Of each node the newest visit counts, over all segments of
-- the run; a tool call of an agent is none of its answers.
CREATE FUNCTION "answer_cuts"("root" UUID)
RETURNS TABLE ("node_id" TEXT, "code" TEXT, "reason" TEXT, "message" TEXT) LANGUAGE sql STABLE AS $$
    SELECT newest.node_id, warning->>'code', warning->>'reason', warning->>'message'
    FROM (
        SELECT DISTINCT ON (s.node_id, s.item_index) s.node_id, coalesce(s.reused_from, s.step_id) AS held_by
        FROM run_steps s
        WHERE s.root_run_pk = root AND s.parent_step_id IS NULL AND s.node_type IN ('llm', 'agent', 'conditional', 'guardrails')
        ORDER BY s.node_id, s.item_index, s.visit DESC
    ) AS newest
    JOIN run_steps held ON held.step_id = newest.held_by
    CROSS JOIN LATERAL json_array_elements(held.warnings) AS warning
    WHERE warning->>'code' IN ('answer_truncated', 'model_refused')
    ORDER BY newest.node_id
$$;

-- An endpoint is told that an answer is not whole.
CREATE OR REPLACE FUNCTION "runs_notify"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    event_type TEXT := 'run.' || CASE NEW.status WHEN 'interrupted' THEN 'waiting' ELSE NEW.status END;
BEGIN
    IF NOT is_notified(NEW.organization_id, event_type) THEN
        RETURN NULL;
    END IF;
    PERFORM notify_endpoints(NEW.organization_id, event_type, json_build_object(
        'run_id', NEW.run_id, 'run_pk', NEW.id, 'workflow_id', NEW.workflow_id, 'workflow_name', NEW.workflow_name,
        'workflow_version', NEW.workflow_version, 'trigger_type', NEW.trigger_type, 'thread_id', NEW.thread_id,
        'started_at', iso_moment(NEW.started_at), 'completed_at', iso_moment(NEW.completed_at),
        'duration_ms', greatest(0, round(extract(epoch FROM NEW.completed_at - NEW.started_at) * 1000)),
        'error', NEW.error,
        'questions', (SELECT json_agg(json_build_object('interrupt_id', i.id, 'node_id', i.node_id,
                                                        'kind', i.question->>'kind', 'expires_at', iso_moment(i.expires_at))
                                      ORDER BY i.created_at, i.id)
                      FROM run_interrupts i WHERE i.root_run_pk = NEW.root_run_pk AND i.status = 'pending'),
        'warnings', (SELECT coalesce(json_agg(DISTINCT c.code), '[]') FROM answer_cuts(NEW.root_run_pk) AS c)
    ), NEW.child_depth);
    RETURN NULL;
END $$;
