-- The order of metadata in filters is that of rules and lists (src/graph/order.ts): numeric texts are numbers, ISO 8601
-- timestamps are times. Nothing here raises an error, because a filter meets values of any form.

-- The number of a JSON number or of a numeric text; null for anything else, and for texts beyond 400 characters.
CREATE FUNCTION "metadata_number"(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE
        WHEN jsonb_typeof(value) = 'number' THEN (value #>> '{}')::numeric
        WHEN jsonb_typeof(value) = 'string' AND length(value #>> '{}') <= 400
            AND (value #>> '{}') ~ '^[ \t\n\r]*[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?[ \t\n\r]*$'
            THEN btrim(value #>> '{}', E' \t\n\r')::numeric
    END
$$;

-- Days since the epoch in the proleptic Gregorian calendar; years begin in March, so that a leap day is the last of its year.
CREATE FUNCTION "epoch_day"(year integer, month integer, day integer) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT y * 365 + floor(y / 4.0)::integer - floor(y / 100.0)::integer + floor(y / 400.0)::integer
        + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - 719468
    FROM (SELECT CASE WHEN month > 2 THEN year ELSE year - 1 END AS y) AS march
$$;

-- Seconds since the epoch of an ISO 8601 timestamp, as src/graph/iso8601.ts reads it; null for anything else.
CREATE FUNCTION "metadata_moment"(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN jsonb_typeof(value) = 'string' THEN (
        SELECT day * 86400::numeric + seconds - shift
        FROM (
            SELECT coalesce(
                regexp_match(text, '^(\d{4})-(?:(\d{2})-(\d{2})|W(\d{2})-([1-7])|(\d{3}))(?:[Tt](\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$'),
                regexp_match(text, '^(\d{4})(?:(\d{2})(\d{2})|W(\d{2})([1-7])|(\d{3}))(?:[Tt](\d{2})(?:(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$')
            ) AS part
            FROM (SELECT btrim(value #>> '{}', E' \t\n\r') AS text) AS trimmed
        ) AS matched,
        LATERAL (
            SELECT part[1]::integer AS year, part[2]::integer AS month, part[4]::integer AS week, part[6]::integer AS ordinal,
                coalesce(part[7]::integer, 0) * 3600 + coalesce(part[8]::integer, 0) * 60 + coalesce(part[9]::integer, 0)
                    + coalesce(('0.' || part[10])::numeric, 0) AS seconds,
                CASE WHEN part[11] ~ '^[+-]' THEN substr(part[11], 2, 2)::integer ELSE 0 END AS shift_hours,
                CASE WHEN part[11] ~ '^[+-]\d{2}:?\d' THEN right(part[11], 2)::integer ELSE 0 END AS shift_minutes
        ) AS fields,
        LATERAL (
            SELECT epoch_day(year, 1, 1) AS first, epoch_day(year + 1, 1, 1) AS next, epoch_day(year, 1, 4) AS fourth,
                (CASE WHEN part[11] ~ '^-' THEN -1 ELSE 1 END) * (shift_hours * 3600 + shift_minutes * 60) AS shift
        ) AS calendar,
        -- Week 1 holds January 4, and a week belongs to the year of its Thursday. The epoch was a Thursday.
        LATERAL (SELECT fourth - (((fourth + 3) % 7 + 7) % 7) + (week - 1) * 7 AS monday) AS weeks,
        LATERAL (
            SELECT CASE
                WHEN month BETWEEN 1 AND 12
                    AND part[3]::integer BETWEEN 1 AND
                        (CASE month WHEN 12 THEN next ELSE epoch_day(year, month + 1, 1) END) - epoch_day(year, month, 1)
                    THEN epoch_day(year, month, part[3]::integer)
                WHEN ordinal BETWEEN 1 AND next - first THEN first + ordinal - 1
                WHEN monday + 3 >= first AND monday + 3 < next THEN monday + part[5]::integer - 1
            END AS day
        ) AS days
        WHERE coalesce(part[8]::integer, 0) <= 59 AND coalesce(part[9]::integer, 0) <= 59 AND seconds <= 86400
            AND shift_hours <= 23 AND shift_minutes <= 59
    ) END
$$;
