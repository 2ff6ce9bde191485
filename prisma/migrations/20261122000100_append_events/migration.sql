-- Events of a run are numbered here and nowhere else: without gaps, under the lock of the run's row. Writes all of them or,
-- when the run is not running (any more), none. Returns the number of the last one; null when nothing was written.
CREATE FUNCTION "append_events"("run" UUID, "types" TEXT[], "payloads" TEXT[]) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
    last INTEGER;
BEGIN
    UPDATE runs SET last_seq = last_seq + cardinality(types), last_event_at = clock_timestamp()
    WHERE id = run AND status = 'running' RETURNING last_seq INTO last;
    IF FOUND THEN
        INSERT INTO run_events (run_pk, seq, type, payload)
        SELECT run, last - cardinality(types) + e.ord, e.type, e.payload::json
        FROM unnest(types, payloads) WITH ORDINALITY AS e (type, payload, ord);
    END IF;
    RETURN last;
END $$;

-- Ends a run whose status is one of `statuses`: its terminal frame, its row, its credits. Returns false, and writes nothing,
-- when its status is another. `frame` is a JSON object without its `duration_ms`; `plans` is the table of billing/plans.ts,
-- or null to leave the credits to the caller. Locks accounts last.
CREATE FUNCTION "close_run"(
    "run" UUID, "statuses" TEXT[], "next_status" TEXT, "frame" TEXT, "new_output" TEXT, "new_summary" TEXT, "new_error" TEXT,
    "new_usage" TEXT, "handled" INTEGER, "reason" TEXT, "plans" JSONB)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    old_status TEXT;
    begun_at TIMESTAMPTZ(3);
    ended_at TIMESTAMPTZ(3);
    duration_ms INTEGER;
BEGIN
    SELECT r.status, coalesce(r.started_at, r.created_at) INTO old_status, begun_at
    FROM runs r WHERE r.id = run AND r.status = ANY (statuses) FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    ended_at := clock_timestamp();
    duration_ms := greatest(0, round(extract(epoch FROM ended_at - begun_at) * 1000));
    -- A run that waits for an answer has its terminal frame (run_interrupted) already: the row alone changes.
    IF old_status = 'running' THEN
        -- Spliced as text: jsonb would lose the order of the output's keys.
        PERFORM append_events(
            run, ARRAY['run_' || next_status], ARRAY[left(frame, -1) || ',"duration_ms":' || duration_ms || '}']);
    END IF;
    UPDATE runs SET
        status = next_status, started_at = begun_at, completed_at = ended_at, last_event_at = ended_at,
        output = new_output::json, output_summary = new_summary, error = new_error::json,
        usage = coalesce(new_usage::json, usage), handled_error_count = coalesce(handled, handled_error_count),
        cancel_reason = reason
    WHERE id = run;
    PERFORM settle_credits(ARRAY[run], plans);
    RETURN true;
END $$;
