-- Who did what, when and from where. No foreign keys: an entry outlives its organization, its actor and its object.
CREATE TABLE "audit_log" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    -- Null: an act that concerns the whole deployment.
    "organization_id" UUID,
    "action" TEXT NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    -- The account of an operator on the machine of the command; names of users are read from their rows.
    "actor_name" TEXT,
    "api_key_id" UUID,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT,
    "object_name" TEXT,
    "ip_address" TEXT,
    "request_id" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_log_actor_type_check" CHECK ("actor_type" IN ('user', 'service_account', 'operator', 'system'))
);
CREATE INDEX "audit_log_organization_id_created_at_id_idx" ON "audit_log"("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_log_object_id_idx" ON "audit_log"("object_id");

CREATE FUNCTION "audit_log_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('app.prunes_audit_log', true) = 'on' THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER "audit_log_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "audit_log_is_append_only"();

-- The one way to remove entries. "organization" null: of the whole deployment.
CREATE FUNCTION "prune_audit_log"("organization" UUID, "before" TIMESTAMPTZ) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
    pruned INTEGER;
BEGIN
    PERFORM set_config('app.prunes_audit_log', 'on', true);
    DELETE FROM audit_log a WHERE a.created_at < "before" AND ("organization" IS NULL OR a.organization_id = "organization");
    GET DIAGNOSTICS pruned = ROW_COUNT;
    PERFORM set_config('app.prunes_audit_log', '', true);
    RETURN pruned;
END $$;

-- Writes an entry for the actor of `app.request`, which the connection has from its request; without one the service acts by itself.
CREATE FUNCTION "record_action"("organization" UUID, "action" TEXT, "object" JSONB, "details" JSONB) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO audit_log (organization_id, action, actor_type, actor_id, actor_name, api_key_id, object_type, object_id, object_name,
                           ip_address, request_id, details)
    SELECT "organization", "action", coalesce(r.request->>'actor_type', 'system'), (r.request->>'actor_id')::uuid,
           r.request->>'actor_name', (r.request->>'api_key_id')::uuid, "object"->>'type', "object"->>'id', "object"->>'name',
           r.request->>'ip_address', r.request->>'request_id', "details"
    FROM (SELECT nullif(current_setting('app.request', true), '')::jsonb AS request) r
$$;

-- Records a changed row. Arguments: the type of the object; its columns for id, organization and name; then the columns whose
-- change is recorded, as `column`, `column!` (old and new value are recorded), with `=verb` or `=verb/opposite` of their own.
-- Secrets are watched without `!`: an entry tells that they changed.
CREATE FUNCTION "audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    object_type TEXT := TG_ARGV[0];
    identity TEXT[] := string_to_array(TG_ARGV[1], ',');
    watched TEXT[];
    former TEXT[];
    present TEXT[];
    read_row TEXT;
    spec TEXT;
    col TEXT;
    verb TEXT;
    fields TEXT[] := '{}';
    changes JSONB := '{}';
    object JSONB;
    organization UUID;
    members UUID[];
BEGIN
    -- A cascade belongs to the act that has caused it.
    IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
    watched := identity;
    FOR i IN 2 .. TG_NARGS - 1 LOOP watched := watched || split_part(split_part(TG_ARGV[i], '=', 1), '!', 1); END LOOP;
    SELECT 'SELECT ARRAY[' || string_agg(format('($1).%I::text', c), ', ' ORDER BY at) || ']' INTO read_row
    FROM unnest(watched) WITH ORDINALITY AS w(c, at);
    IF TG_OP <> 'INSERT' THEN EXECUTE read_row INTO former USING OLD; END IF;
    IF TG_OP <> 'DELETE' THEN EXECUTE read_row INTO present USING NEW; ELSE present := former; END IF;
    IF TG_OP = 'UPDATE' THEN
        FOR i IN 2 .. TG_NARGS - 1 LOOP
            CONTINUE WHEN former[i + 2] IS NOT DISTINCT FROM present[i + 2];
            spec := TG_ARGV[i];
            col := watched[i + 2];
            fields := fields || col;
            IF strpos(spec, '!') > 0 THEN
                changes := changes || jsonb_build_object(col, jsonb_build_object('from', former[i + 2], 'to', present[i + 2]));
            END IF;
            CONTINUE WHEN strpos(spec, '=') = 0;
            spec := split_part(spec, '=', 2);
            verb := CASE WHEN spec = '*' THEN present[i + 2]
                         WHEN coalesce(present[i + 2], 'false') = 'false' AND strpos(spec, '/') > 0 THEN split_part(spec, '/', 2)
                         ELSE split_part(spec, '/', 1) END;
        END LOOP;
        IF fields = '{}' THEN RETURN NULL; END IF;
        verb := coalesce(verb, 'updated');
    ELSE
        verb := CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'deleted' END;
        IF object_type = 'member' THEN verb := CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'removed' END; END IF;
    END IF;
    object := jsonb_build_object('type', object_type, 'id', present[1], 'name', nullif(present[3], present[1]));
    changes := CASE WHEN fields = '{}' THEN '{}'::jsonb ELSE jsonb_build_object('fields', to_jsonb(fields)) END
        || CASE WHEN changes = '{}' THEN '{}'::jsonb ELSE jsonb_build_object('changes', changes) END;
    organization := present[2]::uuid;
    IF object_type = 'api_key' AND organization IS NULL THEN
        -- A key that is not pinned opens every organization of its owner.
        SELECT array_agg(m.organization_id) INTO members FROM memberships m WHERE m.user_id = NEW.user_id AND m.is_active;
        IF members IS NOT NULL THEN
            PERFORM record_action(m, 'api_key.' || verb, object, changes) FROM unnest(members) AS m;
            RETURN NULL;
        END IF;
    END IF;
    PERFORM record_action(organization, object_type || '.' || verb, object, changes);
    RETURN NULL;
END $$;

CREATE TRIGGER "audit_organizations" AFTER INSERT OR DELETE OR UPDATE OF "name", "domain", "plan", "entitlements", "is_suspended", "is_active", "run_retention_days", "value_retention_days", "settings" ON "organizations"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('organization', 'id,id,name', 'name!', 'domain!', 'plan!', 'entitlements!', 'is_suspended!=suspended/resumed', 'is_active!=activated/deactivated', 'run_retention_days!', 'value_retention_days!', 'settings');
CREATE TRIGGER "audit_credit_accounts" AFTER UPDATE OF "is_overage_enabled" ON "credit_accounts"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('wallet', 'organization_id,organization_id,organization_id', 'is_overage_enabled!');
CREATE TRIGGER "audit_users" AFTER UPDATE OF "is_active" ON "users"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('user', 'id,id,id', 'is_active!=activated/deactivated');
CREATE TRIGGER "audit_memberships" AFTER INSERT OR DELETE OR UPDATE OF "role", "is_active" ON "memberships"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('member', 'user_id,organization_id,user_id', 'role!', 'is_active!=added/removed');
CREATE TRIGGER "audit_invitations" AFTER INSERT OR DELETE OR UPDATE OF "status", "role" ON "invitations"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('invitation', 'id,organization_id,email', 'role!', 'status=*');
CREATE TRIGGER "audit_api_keys" AFTER INSERT OR UPDATE OF "is_active" ON "api_keys"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('api_key', 'id,organization_id,name', 'is_active=activated/revoked');
CREATE TRIGGER "audit_service_accounts" AFTER INSERT OR UPDATE OF "name", "rate_limit_per_minute", "deleted_at" ON "service_accounts"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('service_account', 'id,organization_id,name', 'name!', 'rate_limit_per_minute!', 'deleted_at=deleted');
CREATE TRIGGER "audit_workflows" AFTER INSERT OR DELETE OR UPDATE OF "live_deployment_id", "error_workflow_id", "visibility" ON "workflows"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('workflow', 'id,organization_id,name', 'error_workflow_id!', 'visibility!', 'live_deployment_id!=activated/deactivated');
CREATE TRIGGER "audit_deployments" AFTER INSERT OR DELETE ON "deployments"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('deployment', 'id,organization_id,name');
CREATE TRIGGER "audit_credentials_kept" AFTER INSERT OR DELETE ON "credentials"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('credential', 'id,organization_id,name');
-- The service renews tokens by itself, which is nobody's act.
CREATE TRIGGER "audit_credentials" AFTER UPDATE OF "name", "allowed_hosts", "scopes", "ciphertext", "last_tested_at" ON "credentials"
    FOR EACH ROW WHEN (coalesce(current_setting('app.request', true), '') <> '')
    EXECUTE FUNCTION "audit_change"('credential', 'id,organization_id,name', 'name!', 'allowed_hosts!', 'scopes!', 'last_tested_at=tested', 'ciphertext=secret_changed');
CREATE TRIGGER "audit_hooks" AFTER INSERT OR DELETE OR UPDATE OF "name", "enabled", "verification", "filter", "mapping", "response", "deduplicate_by", "id_header", "token_hash", "ciphertext" ON "hooks"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('hook', 'id,organization_id,name', 'name!', 'verification!', 'filter', 'mapping', 'response', 'deduplicate_by!', 'id_header!', 'enabled!=enabled/disabled', 'ciphertext=secret_changed', 'token_hash=rotated');
CREATE TRIGGER "audit_notification_endpoints" AFTER INSERT OR DELETE OR UPDATE OF "name", "url", "enabled", "event_types", "workflow_ids", "ciphertext" ON "notification_endpoints"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('notification_endpoint', 'id,organization_id,name', 'name!', 'url', 'event_types!', 'workflow_ids!', 'enabled!=enabled/disabled', 'ciphertext=rotated');
CREATE TRIGGER "audit_alerts" AFTER INSERT OR DELETE OR UPDATE OF "name", "kind", "threshold", "window_minutes", "workflow_id", "enabled" ON "alerts"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('alert', 'id,organization_id,name', 'name!', 'kind!', 'threshold!', 'window_minutes!', 'workflow_id!', 'enabled!=enabled/disabled');
CREATE TRIGGER "audit_schedules" AFTER INSERT OR DELETE OR UPDATE OF "name", "cron_expression", "timezone", "input", "config", "overlap_policy", "catchup_window_seconds", "start_at", "end_at", "max_runs", "enabled" ON "schedules"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('schedule', 'id,organization_id,name', 'name!', 'cron_expression!', 'timezone!', 'input', 'config', 'overlap_policy!', 'catchup_window_seconds!', 'start_at!', 'end_at!', 'max_runs!', 'enabled!=enabled/disabled');
CREATE TRIGGER "audit_knowledge_bases" AFTER INSERT OR DELETE OR UPDATE OF "name", "description", "credential_id", "embedding_config", "chunking_config" ON "knowledge_bases"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('knowledge_base', 'id,organization_id,name', 'name!', 'description', 'credential_id!', 'embedding_config', 'chunking_config');
-- Retention deletes many, which the organization's setting has told.
CREATE TRIGGER "audit_runs" AFTER DELETE ON "runs"
    FOR EACH ROW WHEN (coalesce(current_setting('app.request', true), '') <> '') EXECUTE FUNCTION "audit_change"('run', 'id,organization_id,workflow_name');
CREATE TRIGGER "audit_knowledge_documents" AFTER INSERT OR DELETE ON "knowledge_documents"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('knowledge_document', 'id,organization_id,name');
CREATE TRIGGER "audit_workflow_retention" AFTER INSERT OR DELETE OR UPDATE ON "workflow_retention"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('workflow_retention', 'workflow_id,organization_id,workflow_id', 'run_retention_days!', 'value_retention_days!');
CREATE TRIGGER "audit_data_jobs" AFTER INSERT ON "data_jobs"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('data_job', 'id,organization_id,kind');
