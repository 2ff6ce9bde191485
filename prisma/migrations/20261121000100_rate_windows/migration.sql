-- Sliding windows of the per-key and per-user limits (specification, "Limits": 60 seconds). One row per subject with
-- a ring of one-second counters. 61 of them: with 60, a request at the end of one second and one at the beginning of
-- the sixtieth after it would be less than 60 seconds apart and yet not counted together.
-- Unlogged: a crash forgets at most one minute of counts, and taking costs no WAL flush.
CREATE UNLOGGED TABLE "rate_windows" (
    "subject" TEXT NOT NULL,
    "counts" INTEGER[] NOT NULL DEFAULT array_fill(0, ARRAY[61]),
    "newest" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "rate_windows_pkey" PRIMARY KEY ("subject")
) WITH (fillfactor = 50);

-- Takes one from each subject's window, or from none: admitted only if all have capacity. Row locks in the order of
-- the names make it exact under concurrency, across processes. `exhausted` is the position of the first full subject
-- or 0; `remaining` is what that subject (or, when admitted, the first) has left; `retry_after` are seconds until the
-- full one has capacity again.
CREATE FUNCTION "rl_take"(subjects TEXT[], limits INTEGER[], OUT exhausted INTEGER, OUT remaining INTEGER, OUT retry_after INTEGER)
LANGUAGE plpgsql AS $$
DECLARE
    windows rate_windows[];
    w rate_windows;
    now_second BIGINT;
    used INTEGER;
    excess INTEGER;
    slot INTEGER;
BEGIN
    INSERT INTO rate_windows (subject)
    SELECT s FROM unnest(subjects) AS s
    WHERE NOT EXISTS (SELECT 1 FROM rate_windows r WHERE r.subject = s)
    ORDER BY s ON CONFLICT DO NOTHING;
    PERFORM 1 FROM rate_windows r WHERE r.subject = ANY (subjects) ORDER BY r.subject FOR UPDATE;

    exhausted := 0;
    retry_after := 0;
    -- Read after the locks, so that time never runs backwards within a row.
    now_second := floor(extract(epoch FROM clock_timestamp()));
    FOR i IN 1 .. array_length(subjects, 1) LOOP
        SELECT * INTO w FROM rate_windows r WHERE r.subject = subjects[i];
        -- Against a clock that was set back.
        now_second := greatest(now_second, w.newest);
        FOR back IN 0 .. least(60, now_second - w.newest - 1)::integer LOOP
            w.counts[(1 + (now_second - back) % 61)::integer] := 0;
        END LOOP;
        w.newest := now_second;
        SELECT coalesce(sum(c), 0) INTO used FROM unnest(w.counts) AS c;
        IF used >= limits[i] THEN
            exhausted := i;
            remaining := 0;
            -- The oldest seconds leave first; enough of them must, for one more to fit.
            excess := used - limits[i] + 1;
            FOR back IN REVERSE 60 .. 0 LOOP
                excess := excess - w.counts[(1 + (now_second - back) % 61)::integer];
                retry_after := 61 - back;
                EXIT WHEN excess <= 0;
            END LOOP;
            RETURN;
        END IF;
        IF i = 1 THEN
            remaining := limits[i] - used - 1;
        END IF;
        slot := 1 + now_second % 61;
        w.counts[slot] := w.counts[slot] + 1;
        windows := windows || w;
    END LOOP;

    FOREACH w IN ARRAY windows LOOP
        UPDATE rate_windows r SET counts = w.counts, newest = w.newest WHERE r.subject = w.subject;
    END LOOP;
END $$;
