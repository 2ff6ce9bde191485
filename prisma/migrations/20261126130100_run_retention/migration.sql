-- Days that ended runs of an organization are kept; null: they are kept for good.
ALTER TABLE "organizations" ADD COLUMN "run_retention_days" INTEGER
    CONSTRAINT "organizations_run_retention_days_check" CHECK ("run_retention_days" BETWEEN 1 AND 3650);
