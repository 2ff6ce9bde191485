-- A search by text finds the failed runs whose message has the text by its trigrams, in place of reading the messages of all failed runs.
-- pg_trgm comes with PostgreSQL, and the owner of a database may create it. Without it (another package of the system, an owner
-- without the right) the messages are read as before; an administrator may run these two statements later.
-- CREATE INDEX without CONCURRENTLY: a migration is a transaction, and starts of runs wait for it.
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') THEN RETURN; END IF;
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX "runs_by_error_message_idx" ON "runs" USING GIN (("error"->>'message') gin_trgm_ops) WHERE "status" = 'failed';
EXCEPTION
    WHEN insufficient_privilege THEN NULL;
END $$;
