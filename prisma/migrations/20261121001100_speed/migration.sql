-- Every event of a run moves last_seq and last_event_at of its row. While an index holds one of them, each such update
-- writes into all nine indexes of the table; without, the new version stays on its page and no index hears of it (HOT).
-- The reconciler looks through the open runs, which are few beside those that have ended.
DROP INDEX "runs_open_idx";
CREATE INDEX "runs_open_idx" ON "runs"("id") WHERE "status" = 'running';
-- Room on the page for the versions that a row lives through: a run its events, a step its end.
ALTER TABLE "runs" SET (fillfactor = 80);
ALTER TABLE "run_steps" SET (fillfactor = 80);
