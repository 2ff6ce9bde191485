-- Workflows that run at set times. The rows decide; Temporal's Schedules are made to agree with them.
CREATE TABLE "schedules" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "cron_expression" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "input" JSON NOT NULL DEFAULT '{}',
    "config" JSON NOT NULL DEFAULT '{}',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "overlap_policy" TEXT NOT NULL DEFAULT 'skip',
    "catchup_window_seconds" INTEGER NOT NULL DEFAULT 60,
    "start_at" TIMESTAMPTZ(3),
    "end_at" TIMESTAMPTZ(3),
    "max_runs" INTEGER,
    "run_count" INTEGER NOT NULL DEFAULT 0,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "disabled_reason" TEXT,
    "last_run_at" TIMESTAMPTZ(3),
    "last_run_id" UUID,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "schedules_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "schedules_overlap_policy_check" CHECK ("overlap_policy" IN ('skip', 'buffer_one', 'allow_all', 'cancel_other', 'terminate_other')),
    CONSTRAINT "schedules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "schedules_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "schedules_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX "schedules_organization_id_created_at_id_idx" ON "schedules"("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "schedules_workflow_id_idx" ON "schedules"("workflow_id");

-- Each scheduled time has one run, however often Temporal fires it (reliability bar R64).
CREATE TABLE "schedule_firings" (
    "schedule_id" UUID NOT NULL,
    "scheduled_at" TIMESTAMPTZ(3) NOT NULL,
    "run_pk" UUID NOT NULL,
    "is_settled" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "schedule_firings_pkey" PRIMARY KEY ("schedule_id", "scheduled_at"),
    CONSTRAINT "schedule_firings_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedules"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "schedule_firings_run_pk_fkey" FOREIGN KEY ("run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "schedule_firings_run_pk_key" ON "schedule_firings"("run_pk");

-- Schedules that Temporal must hear of: one entry each, which says "look again" and not what has changed. It outlives
-- its schedule. `version` rises with each change, so that one made during a delivery is not taken for delivered.
CREATE TABLE "schedule_outbox" (
    "schedule_id" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "claimed_until" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "schedule_outbox_pkey" PRIMARY KEY ("schedule_id")
);
CREATE INDEX "schedule_outbox_due_at_idx" ON "schedule_outbox"("due_at");

CREATE FUNCTION "tell_of_schedule"(schedule UUID) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO schedule_outbox AS o (schedule_id) VALUES (schedule)
    ON CONFLICT (schedule_id) DO UPDATE SET version = o.version + 1, tries = 0, due_at = now()
$$;

-- Triggers, because schedules also go with their workflow or organization.
CREATE FUNCTION "schedules_are_told"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_of_schedule(CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END);
    RETURN NULL;
END $$;
CREATE TRIGGER "schedules_are_told" AFTER INSERT OR DELETE ON "schedules" FOR EACH ROW EXECUTE FUNCTION "schedules_are_told"();
CREATE TRIGGER "schedules_revisions_are_told" AFTER UPDATE ON "schedules" FOR EACH ROW
    WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION "schedules_are_told"();

-- What Temporal knows of a schedule has a revision: by it a Schedule is seen to be out of date.
CREATE FUNCTION "schedules_have_revisions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.revision := OLD.revision + 1;
    RETURN NEW;
END $$;
CREATE TRIGGER "schedules_have_revisions" BEFORE UPDATE ON "schedules" FOR EACH ROW
    WHEN ((OLD.cron_expression, OLD.timezone, OLD.overlap_policy, OLD.catchup_window_seconds, OLD.start_at, OLD.end_at, OLD.enabled)
          IS DISTINCT FROM
          (NEW.cron_expression, NEW.timezone, NEW.overlap_policy, NEW.catchup_window_seconds, NEW.start_at, NEW.end_at, NEW.enabled))
    EXECUTE FUNCTION "schedules_have_revisions"();
