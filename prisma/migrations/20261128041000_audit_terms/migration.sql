-- An entry is kept for the term that its organization had when it was written, and for 90 days at least: whoever shortens the retention
-- keeps the entries of before, and the one about it.
ALTER TABLE "audit_log" ADD COLUMN "expires_at" TIMESTAMPTZ(3);
CREATE INDEX "audit_log_expires_at_idx" ON "audit_log"("expires_at") WHERE "expires_at" IS NOT NULL;

UPDATE "organizations" SET "audit_retention_days" = 90 WHERE "audit_retention_days" < 90;

ALTER TABLE "audit_log" DISABLE TRIGGER "audit_log_is_append_only";
UPDATE "audit_log" AS a SET "expires_at" = a."created_at" + make_interval(days => o."audit_retention_days")
FROM "organizations" o WHERE o."id" = a."organization_id" AND o."audit_retention_days" IS NOT NULL;
ALTER TABLE "audit_log" ENABLE TRIGGER "audit_log_is_append_only";

CREATE OR REPLACE FUNCTION "record_action"("organization" UUID, "action" TEXT, "object" JSONB, "details" JSONB) RETURNS VOID LANGUAGE sql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
    INSERT INTO audit_log (organization_id, action, actor_type, actor_id, actor_name, api_key_id, object_type, object_id, object_name,
                           ip_address, request_id, details, expires_at)
    SELECT "organization", "action", coalesce(r.request->>'actor_type', 'system'), (r.request->>'actor_id')::uuid,
           r.request->>'actor_name', (r.request->>'api_key_id')::uuid, "object"->>'type', "object"->>'id', "object"->>'name',
           r.request->>'ip_address', r.request->>'request_id', "details",
           -- A process of the previous release may still set fewer days.
           (SELECT clock_timestamp() + make_interval(days => greatest(o.audit_retention_days, 90)) FROM organizations o
            WHERE o.id = "organization" AND o.audit_retention_days IS NOT NULL)
    FROM (SELECT nullif(current_setting('app.request', true), '')::jsonb AS request) r
$$;

-- Entries are kept up to a day longer, so that the entry about a removal does not cause another removal at the next sweep.
CREATE OR REPLACE FUNCTION "expire_audit_log"() RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
    due UUID;
    pruned INTEGER;
    total INTEGER := 0;
BEGIN
    FOR due IN SELECT a.organization_id FROM audit_log a WHERE a.expires_at < now() - interval '1 day' GROUP BY a.organization_id
    LOOP
        PERFORM set_config('app.prunes_audit_log', 'on', true);
        DELETE FROM audit_log a WHERE a.organization_id = due AND a.expires_at < now();
        GET DIAGNOSTICS pruned = ROW_COUNT;
        PERFORM set_config('app.prunes_audit_log', '', true);
        PERFORM record_action(due, 'audit_log.expired', '{"type": "audit_log", "id": null, "name": null}',
                              jsonb_build_object('entries', pruned));
        total := total + pruned;
    END LOOP;
    RETURN total;
END $$;

DROP TRIGGER "audit_hooks" ON "hooks";
CREATE TRIGGER "audit_hooks" AFTER INSERT OR DELETE OR UPDATE OF "name", "enabled", "verification", "methods", "filter", "mapping", "response", "deduplicate_by", "id_header", "token_hash", "ciphertext" ON "hooks"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('hook', 'id,organization_id,name', 'name!', 'verification!', 'methods!', 'filter', 'mapping', 'response', 'deduplicate_by!', 'id_header!', 'enabled!=enabled/disabled', 'ciphertext=secret_changed', 'token_hash=rotated');
