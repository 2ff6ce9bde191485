-- Firings that came to nothing because a run of their schedule was still open: how many, the newest, and the run. Under the policy
-- `buffer_one` Temporal drops them: `dropped_count` is how many it had dropped when it was last asked.
ALTER TABLE "schedules"
    ADD COLUMN "skipped_count" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "last_skipped_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_skipped_run_id" UUID,
    ADD COLUMN "dropped_count" INTEGER NOT NULL DEFAULT 0;
