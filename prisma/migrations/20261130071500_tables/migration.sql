-- Tables of an organization: state that outlives runs. A row is a key with a value.
BEGIN;
CREATE TABLE "data_tables" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "row_count" INTEGER NOT NULL DEFAULT 0,
    -- The highest version of a row that was deleted: a key that comes again goes on behind it.
    "last_version" BIGINT NOT NULL DEFAULT 0,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "data_tables_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "data_tables_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "data_tables_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "data_tables_organization_id_name_key" ON "data_tables"("organization_id", "name");
ALTER TABLE "data_tables" ENABLE ROW LEVEL SECURITY;
-- Sub-selects are evaluated once for a statement, not for each row.
CREATE POLICY of_organization ON "data_tables" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);
CREATE TRIGGER "audit_data_tables" AFTER INSERT OR DELETE OR UPDATE OF "name", "description" ON "data_tables"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('table', 'id,organization_id,name', 'name!', 'description');

COMMIT;

-- Apart: each of the two locks the tables that it refers to.
BEGIN;
CREATE TABLE "data_rows" (
    "table_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    -- By bytes: pages go on behind a key, and a prefix is a range.
    "key" TEXT COLLATE "C" NOT NULL,
    -- As text, not binary: it is read as it was written.
    "value" JSON NOT NULL,
    "version" BIGINT NOT NULL,
    -- Its last writer: a person, or the step of a run. No foreign keys: a row outlives its run.
    "updated_by" UUID,
    "run_pk" UUID,
    "step_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT "data_rows_pkey" PRIMARY KEY ("table_id", "key"),
    CONSTRAINT "data_rows_table_id_fkey" FOREIGN KEY ("table_id") REFERENCES "data_tables"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "data_rows_updated_by_fkey" FOREIGN KEY ("updated_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "data_rows_updated_by_idx" ON "data_rows"("updated_by") WHERE "updated_by" IS NOT NULL;
ALTER TABLE "data_rows" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "data_rows" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);
-- Writes of people; a run's are in its record.
CREATE TRIGGER "audit_data_rows" AFTER INSERT OR DELETE OR UPDATE OF "version" ON "data_rows"
    FOR EACH ROW WHEN (coalesce(current_setting('app.request', true), '') <> '')
    EXECUTE FUNCTION "audit_change"('table_row', 'table_id,organization_id,key', 'version!');

-- Writes a row, or refuses: the one place that counts rows and versions. The table is locked before the row, and only when their number
-- changes, so writes of rows that are there do not wait for each other.
-- @param operation put, put_if_absent, compare_and_set (`expected_version`; 0: no row), increment (`by`, of the `field` of the value), delete
-- @returns {refused} without a write; else {written, version, value of an increment}
CREATE FUNCTION "write_data_row"(
    "in_table" UUID, "of_organization" UUID, "operation" TEXT, "row_key" TEXT, "given" JSON, "max_rows" INTEGER, "max_bytes" INTEGER,
    "by_user" UUID, "by_run" UUID, "by_step" UUID)
RETURNS JSON LANGUAGE plpgsql AS $$
DECLARE
    present RECORD;
    is_there BOOLEAN;
    held RECORD;
    written JSON;
    expected BIGINT := ("given"->>'expected_version')::bigint;
    field TEXT := "given"->>'field';
    former NUMERIC;
BEGIN
    PERFORM 1 FROM data_tables t WHERE t.id = in_table AND t.organization_id = of_organization FOR KEY SHARE;
    IF NOT FOUND THEN RETURN json_build_object('refused', 'table_not_found'); END IF;
    IF operation = 'delete' THEN
        PERFORM 1 FROM data_tables t WHERE t.id = in_table FOR NO KEY UPDATE;
    END IF;
    LOOP
        SELECT r.value, r.version INTO present FROM data_rows r WHERE r.table_id = in_table AND r.key = row_key FOR NO KEY UPDATE;
        is_there := FOUND;
        -- Absent is version 0.
        IF expected IS NOT NULL AND expected <> coalesce(present.version, 0) THEN
            RETURN json_build_object('written', false, 'version', present.version);
        END IF;
        IF operation = 'delete' THEN
            IF NOT is_there THEN RETURN json_build_object('written', false, 'version', NULL); END IF;
            DELETE FROM data_rows r WHERE r.table_id = in_table AND r.key = row_key;
            UPDATE data_tables t SET row_count = t.row_count - 1, last_version = greatest(t.last_version, present.version) WHERE t.id = in_table;
            RETURN json_build_object('written', true, 'version', NULL);
        END IF;
        IF operation = 'put_if_absent' AND is_there THEN
            RETURN json_build_object('written', false, 'version', present.version);
        END IF;
        written := "given"->'value';
        IF operation = 'increment' THEN
            IF is_there AND field IS NOT NULL AND json_typeof(present.value) <> 'object' THEN
                RETURN json_build_object('refused', 'not_an_object');
            END IF;
            former := 0;
            IF is_there AND (field IS NULL OR coalesce(json_typeof(present.value->field), 'null') <> 'null') THEN
                IF json_typeof(CASE WHEN field IS NULL THEN present.value ELSE present.value->field END) <> 'number' THEN
                    RETURN json_build_object('refused', 'not_a_number');
                END IF;
                former := (CASE WHEN field IS NULL THEN present.value #>> '{}' ELSE present.value->>field END)::numeric;
            END IF;
            former := former + ("given"->>'by')::numeric;
            written := CASE WHEN field IS NULL THEN to_json(former)
                ELSE (CASE WHEN is_there THEN present.value::jsonb ELSE '{}' END || jsonb_build_object(field, former))::json END;
        END IF;
        IF octet_length(written::text) > max_bytes THEN
            RETURN json_build_object('refused', 'row_too_large', 'limit', max_bytes, 'current', octet_length(written::text));
        END IF;
        IF is_there THEN
            UPDATE data_rows r SET value = written, version = present.version + 1, updated_by = by_user, run_pk = by_run, step_id = by_step,
                updated_at = clock_timestamp()
            WHERE r.table_id = in_table AND r.key = row_key;
            RETURN json_build_object('written', true, 'version', present.version + 1, 'value', to_json(former));
        END IF;
        SELECT t.row_count, t.last_version INTO held FROM data_tables t WHERE t.id = in_table FOR NO KEY UPDATE;
        -- Another writer may have made the row before the table was locked.
        CONTINUE WHEN EXISTS (SELECT 1 FROM data_rows r WHERE r.table_id = in_table AND r.key = row_key);
        IF held.row_count >= max_rows THEN
            RETURN json_build_object('refused', 'table_full', 'limit', max_rows, 'current', held.row_count);
        END IF;
        INSERT INTO data_rows (table_id, organization_id, key, value, version, updated_by, run_pk, step_id)
        VALUES (in_table, of_organization, row_key, written, held.last_version + 1, by_user, by_run, by_step);
        UPDATE data_tables t SET row_count = t.row_count + 1 WHERE t.id = in_table;
        RETURN json_build_object('written', true, 'version', held.last_version + 1, 'value', to_json(former));
    END LOOP;
END $$;
COMMIT;
