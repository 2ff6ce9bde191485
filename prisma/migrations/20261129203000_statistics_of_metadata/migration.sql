-- The history of a pair of metadata is read in order if many runs have the pair, and by the pair if few have. By a hundred samples, a pair
-- that 25,000 of ten million runs have looked like one that 1,000 have, so all of them were read and sorted for a page.
ALTER TABLE "runs" ALTER COLUMN "metadata" SET STATISTICS 1000;
ANALYZE "runs"("metadata");
