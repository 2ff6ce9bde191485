-- A message is tried again for a day after its own first attempt, and one that was given up counts towards the limit of reminders.
ALTER TABLE "answer_links" ADD COLUMN "first_attempt_at" TIMESTAMPTZ(3), ADD COLUMN "unsent_count" INTEGER NOT NULL DEFAULT 0;
