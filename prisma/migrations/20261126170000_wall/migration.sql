-- The second wall between organizations: a statement of a request runs as this role, which sees the rows of `app.organization_id`
-- alone. The owner of the tables, as whom everything else runs, is not held by the policies. An owner that may not create roles goes
-- without the wall until an administrator has run: CREATE ROLE workflow_tenant NOLOGIN; GRANT workflow_tenant TO <owner>; and the grants.
DO $$
BEGIN
    CREATE ROLE "workflow_tenant" NOLOGIN;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN RAISE WARNING 'the role workflow_tenant cannot be created: requests have no row level security';
END $$;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'workflow_tenant') THEN RETURN; END IF;
    IF NOT pg_has_role('workflow_tenant', 'MEMBER') THEN GRANT "workflow_tenant" TO CURRENT_USER; END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO workflow_tenant', current_schema());
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO workflow_tenant', current_schema());
    EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA %I TO workflow_tenant', current_schema());
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO workflow_tenant', current_schema());
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT USAGE ON SEQUENCES TO workflow_tenant', current_schema());
    REVOKE INSERT, UPDATE, DELETE ON "audit_log" FROM "workflow_tenant";
EXCEPTION
    WHEN insufficient_privilege THEN RAISE WARNING 'the role workflow_tenant cannot be granted: requests have no row level security';
END $$;

-- A request's role writes entries through it alone.
ALTER FUNCTION "record_action"(UUID, TEXT, JSONB, JSONB) SECURITY DEFINER SET search_path FROM CURRENT;

DO $$
DECLARE
    walled TEXT;
BEGIN
    FOREACH walled IN ARRAY ARRAY[
        'alerts', 'audit_log', 'chats', 'credentials', 'data_jobs', 'deployments', 'hook_deliveries', 'hooks', 'knowledge_bases',
        'knowledge_documents', 'notification_deliveries', 'notification_endpoints', 'notification_events', 'schedules', 'wallet_ledger', 'workflow_retention']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
        EXECUTE format(
            'CREATE POLICY of_organization ON %I USING (current_user <> ''workflow_tenant'' '
            'OR organization_id = nullif(current_setting(''app.organization_id'', true), '''')::uuid)', walled);
    END LOOP;
END $$;
