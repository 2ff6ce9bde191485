-- Whether a run has begun is read from its advances; how far its events had come when it was accepted, nobody asks any more.
ALTER TABLE "run_cursors" DROP COLUMN "accepted_seq";
