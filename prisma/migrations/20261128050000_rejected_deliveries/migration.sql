-- A verified request that cannot be read is in the log of its hook, with the reason.
ALTER TABLE "hook_deliveries" DROP CONSTRAINT "hook_deliveries_outcome_check";
ALTER TABLE "hook_deliveries" ADD CONSTRAINT "hook_deliveries_outcome_check"
    CHECK ("outcome" IN ('started', 'filtered', 'failed', 'captured', 'rejected'));
