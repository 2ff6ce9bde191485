-- SHA-256 of the JSON Lines of an export, which are what is handed out; the column "digest" is that of their compressed pieces, for processes of
-- the previous release.
ALTER TABLE "data_jobs" ADD COLUMN "content_digest" TEXT;

-- A job whose requester has lost the rights for it.
ALTER TABLE "data_jobs" DROP CONSTRAINT "data_jobs_status_check";
ALTER TABLE "data_jobs" ADD CONSTRAINT "data_jobs_status_check" CHECK ("status" IN ('pending', 'running', 'completed', 'cancelled'));
