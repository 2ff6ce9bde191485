-- A rehearsal may walk runs in any stored version: `source` is then the id of its deployment.
ALTER TABLE "rehearsals" DROP CONSTRAINT "rehearsals_source_check",
    ADD CONSTRAINT "rehearsals_source_check" CHECK ("source" IN ('draft', 'live') OR "source" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');
