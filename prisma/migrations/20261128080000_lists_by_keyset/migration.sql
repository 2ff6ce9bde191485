-- Each list reads its page from an index in the order of the list, so a page costs as much at the end of a long list as at its start.
-- CREATE INDEX without CONCURRENTLY: a migration is a transaction, and writers of these tables wait for it.
DROP INDEX "run_interrupts_open_idx";
CREATE INDEX "run_interrupts_open_idx" ON "run_interrupts"("organization_id", "created_at" DESC, "id" DESC) WHERE "status" = 'pending';
CREATE INDEX "runs_by_creator_idx" ON "runs"("organization_id", "created_by", "created_at" DESC, "id" DESC) WHERE "created_by" IS NOT NULL;
-- Without the trigger that most runs have: a page of those is found in the list of all.
CREATE INDEX "runs_by_trigger_idx" ON "runs"("organization_id", "trigger_type", "created_at" DESC, "id" DESC) WHERE "trigger_type" <> 'api';
