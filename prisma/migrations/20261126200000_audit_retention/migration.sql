-- Days that entries of the audit log are kept; null: for good.
ALTER TABLE "organizations" ADD COLUMN "audit_retention_days" INTEGER
    CONSTRAINT "organizations_audit_retention_days_check" CHECK ("audit_retention_days" BETWEEN 1 AND 3650);
DROP TRIGGER "audit_organizations" ON "organizations";
CREATE TRIGGER "audit_organizations" AFTER INSERT OR DELETE OR UPDATE OF "name", "domain", "plan", "entitlements", "is_suspended", "is_active", "run_retention_days", "value_retention_days", "redacted_paths", "audit_retention_days", "settings" ON "organizations"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('organization', 'id,id,name', 'name!', 'domain!', 'plan!', 'entitlements!', 'is_suspended!=suspended/resumed', 'is_active!=activated/deactivated', 'run_retention_days!', 'value_retention_days!', 'redacted_paths!', 'audit_retention_days!', 'settings');

-- Removes the entries of organizations that keep them for a time, and records how many. Entries are kept up to a day longer, so that
-- the entry about a removal does not cause another removal at the next sweep.
CREATE FUNCTION "expire_audit_log"() RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
    due RECORD;
    pruned INTEGER;
    total INTEGER := 0;
BEGIN
    FOR due IN
        SELECT o.id, o.audit_retention_days AS days FROM organizations o
        WHERE o.audit_retention_days IS NOT NULL AND EXISTS (
            SELECT FROM audit_log a
            WHERE a.organization_id = o.id AND a.created_at < now() - make_interval(days => o.audit_retention_days + 1))
    LOOP
        pruned := prune_audit_log(due.id, now() - make_interval(days => due.days));
        PERFORM record_action(due.id, 'audit_log.expired', '{"type": "audit_log", "id": null, "name": null}',
                              jsonb_build_object('entries', pruned, 'days', due.days));
        total := total + pruned;
    END LOOP;
    RETURN total;
END $$;

-- The first sign-in of a person: the account is created with it. The identity provider has the later ones.
CREATE TRIGGER "audit_users_created" AFTER INSERT ON "users" FOR EACH ROW
    WHEN (NOT starts_with(NEW."subject", 'service-account:'))
    EXECUTE FUNCTION "audit_change"('user', 'id,id,id');
