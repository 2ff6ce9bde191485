-- An endpoint may be told of some workflows alone; empty: of all. An event of no workflow, such as an alert over all, is told to each.
ALTER TABLE "notification_endpoints" ADD COLUMN "workflow_ids" UUID[] NOT NULL DEFAULT '{}';

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
    INSERT INTO notification_events (organization_id, type, payload, run_depth)
    VALUES (organization, event_type,
            json_build_object('type', event_type, 'timestamp', iso_moment(clock_timestamp()), 'data', data), depth)
    RETURNING id INTO event;
    INSERT INTO notification_deliveries (organization_id, endpoint_id, event_id)
    SELECT organization, id, event FROM unnest(endpoints) AS id;
END $$;
