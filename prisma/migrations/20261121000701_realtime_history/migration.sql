-- Of what was sent: an op_id that comes again with other content is not the same operation. No room has logged yet.
ALTER TABLE "realtime_ops" ADD COLUMN "content_hash" TEXT NOT NULL;

-- source: by which way a save came (canvas, rest, composer, activation). state_hash: of the definition that it left.
ALTER TABLE "workflow_edits" ADD COLUMN "source" TEXT, ADD COLUMN "state_hash" TEXT;
