-- Ends a segment as close_run does, with what the run has come to until now: the sums of its steps and, where the segment has
-- ended for good, the credits that it has used, its sub-workflows included. They are put into the terminal frame here, so that
-- whoever ends a run need not write its last steps first to read them. `frame` is a JSON object without `usage`, `credits`,
-- `handled_error_count` and `duration_ms`.
CREATE FUNCTION "close_summed"(
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
           sum((s.usage->>'total_tokens')::bigint), count(*) FILTER (WHERE s.error_handled)
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
