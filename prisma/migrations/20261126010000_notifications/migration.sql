-- Notifications: an organization's endpoints are told of the facts that they name. The event and a delivery for each endpoint
-- are written in the transaction of the fact, by triggers, so that no path of the code can forget one.
CREATE TABLE "notification_endpoints" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "event_types" TEXT[] NOT NULL,
    "key_id" TEXT NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "previous_secret_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "last_delivery_at" TIMESTAMPTZ(3),
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "notification_endpoints_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notification_endpoints_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "notification_endpoints_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX "notification_endpoints_organization_id_created_at_id_idx" ON "notification_endpoints"("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "notification_endpoints_key_id_idx" ON "notification_endpoints"("key_id");

-- `id` is the webhook-id of every request that tells of the event. `payload` is the body that is signed and sent.
CREATE TABLE "notification_events" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSON NOT NULL,
    "run_depth" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "notification_events_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notification_events_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "notification_events_created_at_idx" ON "notification_events"("created_at");
CREATE INDEX "notification_events_organization_id_idx" ON "notification_events"("organization_id");

-- `due_at` is when a pending delivery is tried next. A claim moves it behind the longest
-- attempt. Its default is truncated, so that the clock of a process, which counts milliseconds, never lags behind it.
CREATE TABLE "notification_deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "error_code" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "replay_of" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "completed_at" TIMESTAMPTZ(3),
    CONSTRAINT "notification_deliveries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notification_deliveries_status_check" CHECK ("status" IN ('pending', 'delivered', 'failed')),
    CONSTRAINT "notification_deliveries_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "notification_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "notification_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "notification_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "notification_events"("id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX "notification_deliveries_due_idx" ON "notification_deliveries"("endpoint_id", "due_at") WHERE "status" = 'pending';
CREATE INDEX "notification_deliveries_endpoint_id_created_at_id_idx" ON "notification_deliveries"("endpoint_id", "created_at" DESC, "id" DESC);
CREATE INDEX "notification_deliveries_event_id_idx" ON "notification_deliveries"("event_id");
CREATE INDEX "notification_deliveries_organization_id_idx" ON "notification_deliveries"("organization_id");

CREATE FUNCTION "is_notified"("organization" UUID, "event_type" TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM notification_endpoints e
                   WHERE e.organization_id = organization AND e.enabled AND event_type = ANY (e.event_types))
$$;

CREATE FUNCTION "iso_moment"("at" TIMESTAMPTZ) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Writes an event with a delivery for each endpoint that names its type; nothing without one.
CREATE FUNCTION "notify_endpoints"("organization" UUID, "event_type" TEXT, "data" JSON, "depth" INTEGER)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    event UUID;
BEGIN
    IF NOT is_notified(organization, event_type) THEN
        RETURN;
    END IF;
    INSERT INTO notification_events (organization_id, type, payload, run_depth)
    VALUES (organization, event_type,
            json_build_object('type', event_type, 'timestamp', iso_moment(clock_timestamp()), 'data', data), depth)
    RETURNING id INTO event;
    INSERT INTO notification_deliveries (organization_id, endpoint_id, event_id)
    SELECT organization, e.id, event FROM notification_endpoints e
    WHERE e.organization_id = organization AND e.enabled AND event_type = ANY (e.event_types);
END $$;

-- Test runs and private runs notify nobody; the end of a sub-workflow is told by its parent's, its question by its own.
CREATE FUNCTION "runs_notify"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    event_type TEXT := 'run.' || CASE NEW.status WHEN 'interrupted' THEN 'waiting' ELSE NEW.status END;
BEGIN
    IF NOT is_notified(NEW.organization_id, event_type) THEN
        RETURN NULL;
    END IF;
    PERFORM notify_endpoints(NEW.organization_id, event_type, json_build_object(
        'run_id', NEW.run_id, 'run_pk', NEW.id, 'workflow_id', NEW.workflow_id, 'workflow_name', NEW.workflow_name,
        'workflow_version', NEW.workflow_version, 'trigger_type', NEW.trigger_type, 'thread_id', NEW.thread_id,
        'started_at', iso_moment(NEW.started_at), 'completed_at', iso_moment(NEW.completed_at),
        'duration_ms', greatest(0, round(extract(epoch FROM NEW.completed_at - NEW.started_at) * 1000)),
        'error', NEW.error,
        'questions', (SELECT json_agg(json_build_object('interrupt_id', i.id, 'node_id', i.node_id,
                                                        'kind', i.question->>'kind', 'expires_at', iso_moment(i.expires_at))
                                      ORDER BY i.created_at, i.id)
                      FROM run_interrupts i WHERE i.root_run_pk = NEW.root_run_pk AND i.status = 'pending')
    ), NEW.child_depth);
    RETURN NULL;
END $$;
CREATE TRIGGER "runs_notify_ends" AFTER UPDATE OF "status" ON "runs" FOR EACH ROW
    WHEN (OLD.status <> NEW.status AND NEW.status IN ('completed', 'failed') AND NEW.workflow_id IS NOT NULL
          AND NEW.parent_run_pk IS NULL AND NOT NEW.is_ad_hoc AND NOT NEW.is_private)
    EXECUTE FUNCTION "runs_notify"();
-- Deferred to the commit, because the questions are written after the status.
CREATE CONSTRAINT TRIGGER "runs_notify_waits" AFTER UPDATE OF "status" ON "runs" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.status <> NEW.status AND NEW.status = 'interrupted' AND NEW.workflow_id IS NOT NULL
          AND NOT NEW.is_ad_hoc AND NOT NEW.is_private)
    EXECUTE FUNCTION "runs_notify"();

CREATE FUNCTION "workflows_notify_activation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF is_notified(NEW.organization_id, 'deployment.activated') THEN
        PERFORM notify_endpoints(NEW.organization_id, 'deployment.activated', (
            SELECT json_build_object('workflow_id', NEW.id, 'workflow_name', d.name, 'deployment_id', d.id, 'version', d.version,
                                     'deployment_note', d.deployment_note, 'deployed_by', d.deployed_by,
                                     'previous_deployment_id', OLD.live_deployment_id)
            FROM deployments d WHERE d.id = NEW.live_deployment_id), 0);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "workflows_notify_activation" AFTER UPDATE OF "live_deployment_id" ON "workflows" FOR EACH ROW
    WHEN (NEW.live_deployment_id IS NOT NULL AND NEW.live_deployment_id IS DISTINCT FROM OLD.live_deployment_id)
    EXECUTE FUNCTION "workflows_notify_activation"();

CREATE FUNCTION "schedules_notify_disabling"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF is_notified(NEW.organization_id, 'schedule.disabled') THEN
        PERFORM notify_endpoints(NEW.organization_id, 'schedule.disabled', json_build_object(
            'schedule_id', NEW.id, 'name', NEW.name, 'workflow_id', NEW.workflow_id, 'reason', NEW.disabled_reason), 0);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "schedules_notify_disabling" AFTER UPDATE OF "enabled" ON "schedules" FOR EACH ROW
    WHEN (OLD.enabled AND NOT NEW.enabled) EXECUTE FUNCTION "schedules_notify_disabling"();
