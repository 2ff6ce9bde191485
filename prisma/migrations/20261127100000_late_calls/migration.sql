-- Calls of a callback after its answer or timeout are counted, so that the people of the run see them.
ALTER TABLE "run_interrupts" ADD COLUMN "late_call_count" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "last_late_call_at" TIMESTAMPTZ(3);
