-- An event that tells of a run quotes its error: with the run, or with its values, that goes, too.
ALTER TABLE "notification_events" ADD COLUMN "run_pk" UUID;

CREATE OR REPLACE FUNCTION "notify_endpoints"("organization" UUID, "event_type" TEXT, "data" JSON, "depth" INTEGER)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    event UUID;
    endpoints UUID[] := ARRAY(
        SELECT e.id FROM notification_endpoints e
        WHERE e.organization_id = organization AND e.enabled AND event_type = ANY (e.event_types)
          AND (cardinality(e.workflow_ids) = 0 OR data->>'workflow_id' IS NULL OR (data->>'workflow_id')::uuid = ANY (e.workflow_ids)));
BEGIN
    IF cardinality(endpoints) = 0 THEN
        RETURN;
    END IF;
    INSERT INTO notification_events (organization_id, type, payload, run_depth, run_pk)
    VALUES (organization, event_type,
            json_build_object('type', event_type, 'timestamp', iso_moment(clock_timestamp()), 'data', data), depth,
            (data->>'run_pk')::uuid)
    RETURNING id INTO event;
    INSERT INTO notification_deliveries (organization_id, endpoint_id, event_id)
    SELECT organization, id, event FROM unnest(endpoints) AS id;
END $$;

-- Events are kept for seven days, so these are few.
UPDATE "notification_events" SET "run_pk" = ("payload" #>> '{data,run_pk}')::uuid WHERE "payload" #>> '{data,run_pk}' IS NOT NULL;
CREATE INDEX "notification_events_run_pk_idx" ON "notification_events"("run_pk");
