-- The trace that a decision belongs to (W3C traceparent), so that it goes on in the execution that is told of it.
ALTER TABLE "outbox" ADD COLUMN "traceparent" TEXT;
