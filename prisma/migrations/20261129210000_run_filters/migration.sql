-- Filters of the history of runs that an organization has saved by name.
CREATE TABLE "run_filters" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "query" JSONB NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "run_filters_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "run_filters_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "run_filters_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "run_filters_organization_id_name_id_idx" ON "run_filters"("organization_id", "name", "id");

ALTER TABLE "run_filters" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "run_filters" USING (current_user <> 'workflow_tenant'
    OR organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

CREATE TRIGGER "audit_run_filters" AFTER INSERT OR DELETE OR UPDATE OF "name", "query" ON "run_filters"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('run_filter', 'id,organization_id,name', 'name!', 'query');
