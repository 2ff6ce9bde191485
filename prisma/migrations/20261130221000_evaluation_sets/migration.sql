-- Saved sets of cases of a workflow: recorded runs, and inputs with expected outputs. Evaluations and rehearsals name them.
BEGIN;
CREATE TABLE "evaluation_sets" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "evaluation_sets_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "evaluation_sets_organization_id_name_key" ON "evaluation_sets"("organization_id", "name");
CREATE INDEX "evaluation_sets_workflow_id_idx" ON "evaluation_sets"("workflow_id");
CREATE INDEX "evaluation_sets_created_by_idx" ON "evaluation_sets"("created_by") WHERE "created_by" IS NOT NULL;
ALTER TABLE "evaluation_sets" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "evaluation_sets" USING ((SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid));
CREATE TRIGGER "audit_evaluation_sets" AFTER INSERT OR DELETE OR UPDATE OF "name", "description" ON "evaluation_sets"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('evaluation_set', 'id,organization_id,name', 'name!', 'description');

CREATE TABLE "evaluation_cases" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "set_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    -- The order in which they were added.
    "place" INTEGER NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    -- The first segment of a recorded run, whose input is that of the case; null: `input` is.
    "root_run_pk" UUID,
    -- As text, not binary: they are read as they were written.
    "input" JSON,
    "expected" JSON,
    "bytes" INTEGER NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "evaluation_cases_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "evaluation_cases_input_check" CHECK (("root_run_pk" IS NULL) <> ("input" IS NULL)),
    CONSTRAINT "evaluation_cases_set_id_fkey" FOREIGN KEY ("set_id") REFERENCES "evaluation_sets"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "evaluation_cases_set_id_place_key" ON "evaluation_cases"("set_id", "place");
CREATE UNIQUE INDEX "evaluation_cases_set_id_root_run_pk_key" ON "evaluation_cases"("set_id", "root_run_pk");
CREATE INDEX "evaluation_cases_organization_id_idx" ON "evaluation_cases"("organization_id");
CREATE INDEX "evaluation_cases_root_run_pk_idx" ON "evaluation_cases"("root_run_pk") WHERE "root_run_pk" IS NOT NULL;
CREATE INDEX "evaluation_cases_created_by_idx" ON "evaluation_cases"("created_by") WHERE "created_by" IS NOT NULL;
ALTER TABLE "evaluation_cases" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "evaluation_cases" USING ((SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid));
CREATE TRIGGER "audit_evaluation_cases" AFTER INSERT OR DELETE ON "evaluation_cases"
    FOR EACH ROW WHEN (coalesce(current_setting('app.request', true), '') <> '')
    EXECUTE FUNCTION "audit_change"('evaluation_case', 'id,organization_id,name');
COMMIT;

-- Each of these locks one table that runs write.
BEGIN;
ALTER TABLE "evaluation_sets" ADD CONSTRAINT "evaluation_sets_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "evaluation_sets" ADD CONSTRAINT "evaluation_sets_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "evaluation_sets" ADD CONSTRAINT "evaluation_sets_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "evaluation_cases" ADD CONSTRAINT "evaluation_cases_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "evaluation_cases" ADD CONSTRAINT "evaluation_cases_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
COMMIT;
BEGIN;
ALTER TABLE "evaluation_cases" ADD CONSTRAINT "evaluation_cases_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
COMMIT;
