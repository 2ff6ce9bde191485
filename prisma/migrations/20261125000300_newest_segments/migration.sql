-- The segments of a run are a chain: the first begins it, and each other one resumes the one before. The newest is the one that
-- no other resumes from. Times cannot say which it is: `created_at` is when a transaction began, before it waited for locks.

-- One successor at most, or a run would have two newest segments.
CREATE UNIQUE INDEX "runs_resumed_from_run_pk_key" ON "runs"("resumed_from_run_pk") WHERE "resumed_from_run_pk" IS NOT NULL;

-- A view keeps the columns that `*` stood for: a migration that adds one to `runs` replaces the view.
CREATE VIEW "newest_segments" AS
SELECT r.* FROM "runs" r WHERE NOT EXISTS (SELECT FROM "runs" s WHERE s."resumed_from_run_pk" = r."id");
