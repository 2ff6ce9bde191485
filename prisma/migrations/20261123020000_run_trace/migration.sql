-- The trace that a run was started in (W3C traceparent): what is decided of the run later has a trace of its own, which
-- links to it.
ALTER TABLE "runs" ADD COLUMN "traceparent" TEXT;
