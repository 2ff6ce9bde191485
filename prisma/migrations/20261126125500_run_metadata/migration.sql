-- Metadata that a start carries, such as the customer for whom a run is made; null without any.
ALTER TABLE "runs" ADD COLUMN "metadata" JSONB;
-- Partial: a run without metadata costs nothing.
CREATE INDEX "runs_metadata_idx" ON "runs" USING gin ("metadata" jsonb_path_ops) WHERE "metadata" IS NOT NULL;

CREATE OR REPLACE VIEW "newest_segments" AS
SELECT r.* FROM "runs" r WHERE NOT EXISTS (SELECT FROM "runs" s WHERE s."resumed_from_run_pk" = r."id");
