-- Row level security for workflows, runs, people's access and billing. Each table has a transaction of its own: a migration that holds
-- one lock at a time cannot deadlock with the processes that work meanwhile.
BEGIN;
CREATE OR REPLACE FUNCTION "build_wall"("walled" TEXT, "parent" TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    -- Sub-selects are evaluated once for a statement, not for each row.
    is_other_role CONSTANT TEXT := '(SELECT current_user <> ''workflow_tenant'')';
    is_own CONSTANT TEXT := 'organization_id = (SELECT nullif(current_setting(''app.organization_id'', true), '''')::uuid)';
BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('DROP POLICY IF EXISTS of_organization ON %I', walled);
    IF parent IS NULL THEN
        EXECUTE format('CREATE POLICY of_organization ON %I USING (%s OR %s)', walled, is_other_role, is_own);
    ELSE
        -- The parent has a policy, too. A row may be inserted in the statement that inserts its parent, which sees neither. OFFSET keeps the
        -- server from reading all parents into a hash table.
        EXECUTE format('CREATE POLICY of_organization ON %I USING (%s OR EXISTS (SELECT FROM %s OFFSET 0)) WITH CHECK (true)',
                       walled, is_other_role, parent);
    END IF;
END $$;
COMMIT;

BEGIN; SELECT build_wall('alerts', NULL); COMMIT;
BEGIN; SELECT build_wall('audit_log', NULL); COMMIT;
BEGIN; SELECT build_wall('chats', NULL); COMMIT;
BEGIN; SELECT build_wall('credentials', NULL); COMMIT;
BEGIN; SELECT build_wall('data_jobs', NULL); COMMIT;
BEGIN; SELECT build_wall('deployments', NULL); COMMIT;
BEGIN; SELECT build_wall('hook_deliveries', NULL); COMMIT;
BEGIN; SELECT build_wall('hooks', NULL); COMMIT;
BEGIN; SELECT build_wall('knowledge_bases', NULL); COMMIT;
BEGIN; SELECT build_wall('knowledge_documents', NULL); COMMIT;
BEGIN; SELECT build_wall('notification_deliveries', NULL); COMMIT;
BEGIN; SELECT build_wall('notification_endpoints', NULL); COMMIT;
BEGIN; SELECT build_wall('notification_events', NULL); COMMIT;
BEGIN; SELECT build_wall('schedules', NULL); COMMIT;
BEGIN; SELECT build_wall('wallet_ledger', NULL); COMMIT;
BEGIN; SELECT build_wall('workflow_retention', NULL); COMMIT;
BEGIN; SELECT build_wall('workflows', NULL); COMMIT;
BEGIN; SELECT build_wall('memberships', NULL); COMMIT;
BEGIN; SELECT build_wall('invitations', NULL); COMMIT;
BEGIN; SELECT build_wall('api_keys', NULL); COMMIT;
BEGIN; SELECT build_wall('service_accounts', NULL); COMMIT;
BEGIN; SELECT build_wall('definitions', NULL); COMMIT;
BEGIN; SELECT build_wall('runs', NULL); COMMIT;
BEGIN; SELECT build_wall('run_interrupts', NULL); COMMIT;
BEGIN; SELECT build_wall('answer_links', NULL); COMMIT;
BEGIN; SELECT build_wall('deleted_responses', NULL); COMMIT;
BEGIN; SELECT build_wall('interrupt_responses', NULL); COMMIT;
BEGIN; SELECT build_wall('callback_answers', NULL); COMMIT;
BEGIN; SELECT build_wall('thread_messages', NULL); COMMIT;
BEGIN; SELECT build_wall('idempotency_keys', NULL); COMMIT;
BEGIN; SELECT build_wall('outbox', NULL); COMMIT;
BEGIN; SELECT build_wall('oauth_authorizations', NULL); COMMIT;
BEGIN; SELECT build_wall('credit_accounts', NULL); COMMIT;
BEGIN; SELECT build_wall('credit_reservations', NULL); COMMIT;
BEGIN; SELECT build_wall('credit_usage', NULL); COMMIT;
BEGIN; SELECT build_wall('workflow_edits', 'workflows p WHERE p.id = workflow_edits.workflow_id'); COMMIT;
BEGIN; SELECT build_wall('realtime_room_leases', 'workflows p WHERE p.id = realtime_room_leases.workflow_id'); COMMIT;
BEGIN; SELECT build_wall('realtime_ops', 'workflows p WHERE p.id = realtime_ops.workflow_id'); COMMIT;
BEGIN; SELECT build_wall('run_cursors', 'runs p WHERE p.id = run_cursors.root_run_pk'); COMMIT;
BEGIN; SELECT build_wall('run_advances', 'runs p WHERE p.id = run_advances.root_run_pk'); COMMIT;
BEGIN; SELECT build_wall('run_fields', 'runs p WHERE p.id = run_fields.root_run_pk'); COMMIT;
BEGIN; SELECT build_wall('run_events', 'runs p WHERE p.id = run_events.run_pk'); COMMIT;
BEGIN; SELECT build_wall('run_steps', 'runs p WHERE p.id = run_steps.run_pk'); COMMIT;
BEGIN; SELECT build_wall('agent_turns', 'run_steps p WHERE p.step_id = agent_turns.step_id'); COMMIT;
BEGIN; SELECT build_wall('schedule_firings', 'schedules p WHERE p.id = schedule_firings.schedule_id'); COMMIT;
BEGIN; SELECT build_wall('data_job_parts', 'data_jobs p WHERE p.id = data_job_parts.job_id'); COMMIT;

BEGIN;
DROP FUNCTION "build_wall"(TEXT, TEXT);

-- A view is read with the rights of its owner, so it has the condition itself. The server may use any index then: under a policy, it may
-- not use one for a condition whose function is not LEAKPROOF, such as @> on metadata.
CREATE VIEW "segments" AS
SELECT r.* FROM "runs" r
WHERE (SELECT current_user <> 'workflow_tenant')
   OR r."organization_id" = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid);
CREATE OR REPLACE VIEW "newest_segments" AS
SELECT r.* FROM "segments" r WHERE NOT EXISTS (SELECT FROM "runs" s WHERE s."resumed_from_run_pk" = r."id");

-- An administrator may have made the role without default privileges.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'workflow_tenant') THEN GRANT SELECT, INSERT, UPDATE, DELETE ON "segments" TO "workflow_tenant"; END IF;
END $$;
COMMIT;
