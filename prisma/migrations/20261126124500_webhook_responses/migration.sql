-- A webhook may answer with the response of a node, and may listen for a test event.
ALTER TABLE "hook_deliveries" ADD COLUMN "response" JSON;
CREATE INDEX "hook_deliveries_run_pk_idx" ON "hook_deliveries"("run_pk");

-- Until then a request is shown to the person who listens; it starts no run when the webhook is disabled or nothing is live.
ALTER TABLE "hooks" ADD COLUMN "listening_until" TIMESTAMPTZ(3);
ALTER TABLE "hook_deliveries" DROP CONSTRAINT "hook_deliveries_outcome_check";
ALTER TABLE "hook_deliveries" ADD CONSTRAINT "hook_deliveries_outcome_check" CHECK ("outcome" IN ('started', 'filtered', 'failed', 'captured'));
