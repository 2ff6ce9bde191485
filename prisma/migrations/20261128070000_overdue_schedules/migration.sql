-- When each schedule is due next, by its own cron expression: a firing that Temporal does not deliver is seen by this service itself.
-- Null: still to be computed. `infinity`: never again.
ALTER TABLE "schedules" ADD COLUMN "next_due_at" TIMESTAMPTZ(3);
CREATE INDEX "schedules_next_due_at_idx" ON "schedules"("next_due_at") WHERE "enabled";

CREATE OR REPLACE FUNCTION "schedules_have_revisions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.revision := OLD.revision + 1;
    NEW.next_due_at := NULL;
    RETURN NEW;
END $$;

-- A minute is more than a busy worker needs. A firing of the release before writes no time, so its run or its skip counts as seen. Under
-- policies that Temporal decides, a time may wait for the open run.
CREATE VIEW "overdue_schedules" WITH (security_invoker = true) AS
SELECT s.id, s.organization_id, s.next_due_at
FROM schedules s
WHERE s.enabled AND s.next_due_at < now() - interval '1 minute'
  AND (s.last_skipped_at IS NULL OR s.last_skipped_at < s.next_due_at)
  AND NOT EXISTS (SELECT 1 FROM schedule_firings f
                  WHERE f.schedule_id = s.id AND f.scheduled_at >= s.next_due_at)
  AND (s.overlap_policy IN ('skip', 'allow_all')
       OR NOT EXISTS (SELECT 1 FROM schedule_firings f WHERE f.schedule_id = s.id AND NOT f.is_settled));
