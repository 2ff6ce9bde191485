-- One outbox for all that Temporal must hear of: runs, schedules, documents. `subject_id` is the root run, the schedule or
-- the document; entries of one subject are delivered in their order. An entry says "look again": whoever delivers it reads
-- the row as it then is.
ALTER TABLE "outbox" DROP CONSTRAINT "outbox_kind_check";
ALTER TABLE "outbox" DROP COLUMN "run_pk";
-- Rounded to milliseconds, an entry could be due half of one after its commit, and miss the claim that it was announced for.
ALTER TABLE "outbox" ALTER COLUMN "due_at" TYPE TIMESTAMPTZ;
ALTER TABLE "outbox" RENAME COLUMN "root_run_pk" TO "subject_id";
ALTER INDEX "outbox_root_run_pk_idx" RENAME TO "outbox_subject_id_idx";
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_kind_check" CHECK ("kind" IN ('start', 'resume', 'cancel', 'schedule', 'ingest'));

INSERT INTO "outbox" ("kind", "organization_id", "subject_id")
SELECT 'schedule', "organization_id", "id" FROM "schedules" s
WHERE EXISTS (SELECT 1 FROM "schedule_outbox" o WHERE o."schedule_id" = s."id");
INSERT INTO "outbox" ("kind", "organization_id", "subject_id")
SELECT 'ingest', "organization_id", "id" FROM "knowledge_documents"
WHERE "status" IN ('pending', 'processing') AND "start_due_at" IS NOT NULL;

DROP TABLE "schedule_outbox";
ALTER TABLE "knowledge_documents" DROP COLUMN "start_due_at", DROP COLUMN "start_tries";

-- An entry that was parked is no longer needed: the new one looks at the same row.
DROP FUNCTION "tell_of_schedule"(UUID);
CREATE FUNCTION "tell_of_schedule"(organization UUID, schedule UUID) RETURNS VOID LANGUAGE sql AS $$
    DELETE FROM outbox WHERE subject_id = schedule AND due_at = 'infinity';
    INSERT INTO outbox (kind, organization_id, subject_id) VALUES ('schedule', organization, schedule)
$$;

CREATE OR REPLACE FUNCTION "schedules_are_told"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM tell_of_schedule(OLD.organization_id, OLD.id);
    ELSE
        PERFORM tell_of_schedule(NEW.organization_id, NEW.id);
    END IF;
    RETURN NULL;
END $$;
