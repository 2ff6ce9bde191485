-- As before; and a run that ends while it waits has its end in its stream, too. Its frame `run_interrupted` is the end no longer:
-- it stays under its number as `paused`, and the one terminal frame comes after it. Where the events of the run were deleted,
-- the end is told from its row.
CREATE OR REPLACE FUNCTION "close_run"(
    "run" UUID, "statuses" TEXT[], "next_status" TEXT, "frame" TEXT, "new_output" TEXT, "new_summary" TEXT, "new_error" TEXT,
    "new_usage" TEXT, "handled" INTEGER, "reason" TEXT, "plans" JSONB)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    old_status TEXT;
    begun_at TIMESTAMPTZ(3);
    ended_at TIMESTAMPTZ(3);
    duration_ms INTEGER;
    terminal TEXT;
    last INTEGER;
    has_events BOOLEAN;
BEGIN
    SELECT r.status, coalesce(r.started_at, r.created_at) INTO old_status, begun_at
    FROM runs r WHERE r.id = run AND r.status = ANY (statuses) FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    ended_at := clock_timestamp();
    duration_ms := greatest(0, round(extract(epoch FROM ended_at - begun_at) * 1000));
    -- Spliced as text: jsonb would lose the order of the output's keys.
    terminal := left(frame, -1) || ',"duration_ms":' || duration_ms || '}';
    IF old_status = 'running' THEN
        PERFORM append_events(run, ARRAY['run_' || next_status], ARRAY[terminal]);
    ELSE
        UPDATE run_events SET type = 'paused' WHERE run_pk = run AND type = 'run_interrupted';
        has_events := FOUND;
        UPDATE runs SET last_seq = last_seq + 1 WHERE id = run RETURNING last_seq INTO last;
        IF has_events THEN
            INSERT INTO run_events (run_pk, seq, type, payload)
            VALUES (run, last, 'run_' || next_status, terminal::json);
        END IF;
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
