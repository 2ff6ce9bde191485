-- A run that fires a schedule over the API stands above the run of that firing: Temporal fires without a word of who asked.
ALTER TABLE "schedules"
    ADD COLUMN "fired_depth" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "fired_at" TIMESTAMPTZ(3);
