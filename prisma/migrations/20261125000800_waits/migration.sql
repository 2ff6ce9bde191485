-- Runs that wait for a sub-workflow hear when that waits for an answer, and when it goes on.
ALTER TABLE "outbox" DROP CONSTRAINT "outbox_kind_check";
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_kind_check"
    CHECK ("kind" IN ('start', 'resume', 'cancel', 'waits', 'schedule', 'ingest'));
