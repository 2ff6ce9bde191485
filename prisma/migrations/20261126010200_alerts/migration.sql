-- Alerts: rules over the runs of an organization or of one workflow. `firing_since` is the beginning of the present episode, of
-- which endpoints are told once; `armed_at` is since when a silence counts.
CREATE TABLE "alerts" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "threshold" DOUBLE PRECISION,
    "window_minutes" INTEGER,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "armed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "firing_since" TIMESTAMPTZ(3),
    "value" DOUBLE PRECISION,
    "checked_at" TIMESTAMPTZ(3),
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "alerts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alerts_kind_check" CHECK ("kind" IN ('failures_in_row', 'failure_rate', 'silence', 'duration', 'cost')),
    CONSTRAINT "alerts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "alerts_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "alerts_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX "alerts_organization_id_created_at_id_idx" ON "alerts"("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "alerts_workflow_id_idx" ON "alerts"("workflow_id");
