-- Budgets of an organization and of its workflows for a day and a month, and what is used of them and of the budgets of single runs.
BEGIN;
CREATE TABLE "budgets" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    -- Null: all workflows of the organization together.
    "workflow_id" UUID,
    "period" TEXT NOT NULL,
    "max_credits_mc" BIGINT,
    "max_model_calls" BIGINT,
    -- Changes outside, by door.
    "max_effects" JSONB NOT NULL DEFAULT '{}',
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "budgets_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "budgets_period_check" CHECK ("period" IN ('day', 'month')),
    CONSTRAINT "budgets_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "budgets_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "budgets_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "budgets_organization_id_workflow_id_period_key" ON "budgets"("organization_id", "workflow_id", "period") NULLS NOT DISTINCT;
CREATE INDEX "budgets_workflow_id_idx" ON "budgets"("workflow_id");

-- One row for each budget and period; for the budget of a run, one for all its segments. A row exists from the first use that it counts.
CREATE TABLE "budget_counters" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID,
    "root_run_pk" UUID,
    "scope" TEXT NOT NULL,
    -- The run, the workflow or the organization.
    "subject" UUID NOT NULL,
    "period" TEXT NOT NULL,
    "starts" DATE NOT NULL,
    "used_mc" BIGINT NOT NULL DEFAULT 0,
    "reserved_mc" BIGINT NOT NULL DEFAULT 0,
    "model_calls" BIGINT NOT NULL DEFAULT 0,
    "effects" JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT "budget_counters_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "budget_counters_scope_check" CHECK ("scope" IN ('organization', 'run', 'workflow')),
    CONSTRAINT "budget_counters_amounts_check" CHECK ("used_mc" >= 0 AND "reserved_mc" >= 0),
    CONSTRAINT "budget_counters_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "budget_counters_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "budget_counters_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "budget_counters_subject_period_starts_key" ON "budget_counters"("subject", "period", "starts");
CREATE INDEX "budget_counters_organization_id_idx" ON "budget_counters"("organization_id");
CREATE INDEX "budget_counters_workflow_id_idx" ON "budget_counters"("workflow_id");
CREATE INDEX "budget_counters_root_run_pk_idx" ON "budget_counters"("root_run_pk");

-- What calls under way may still use. A message has a row without credits, so that a repeated advance does not count it again.
CREATE TABLE "budget_reservations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "run_pk" UUID NOT NULL,
    "step_id" UUID,
    "attempt" INTEGER NOT NULL,
    -- The process that makes the call, and settles the row.
    "worker_id" UUID,
    "credits_mc" BIGINT NOT NULL,
    "counter_ids" BIGINT[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT "budget_reservations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "budget_reservations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "budget_reservations_run_pk_fkey" FOREIGN KEY ("run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "budget_reservations_organization_id_idx" ON "budget_reservations"("organization_id");
CREATE INDEX "budget_reservations_run_pk_idx" ON "budget_reservations"("run_pk");
CREATE INDEX "budget_reservations_step_id_idx" ON "budget_reservations"("step_id");

DO $$ DECLARE t TEXT; BEGIN
  FOREACH t IN ARRAY ARRAY['budgets', 'budget_counters', 'budget_reservations'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY of_organization ON %I USING ((SELECT current_user <> ''workflow_tenant'')
        OR organization_id = (SELECT nullif(current_setting(''app.organization_id'', true), '''')::uuid))', t);
  END LOOP;
END $$;

CREATE TRIGGER "audit_budgets" AFTER INSERT OR DELETE OR UPDATE OF "max_credits_mc", "max_model_calls", "max_effects" ON "budgets"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('budget', 'id,organization_id,period', 'max_credits_mc!', 'max_model_calls!', 'max_effects!');

-- Counts one use on each budget that binds a run, all or none, and reserves its credits. Returns the first budget that has no place for
-- it; no row: it is counted. `runs` are the budgets of the run and of its callers, as in runs.caller_budgets. `step` of null: the use is
-- counted once by `reservation`, however often it is asked for.
--
-- Locks: runs by id, then counters by scope, subject and period. Statements that hold a counter take no run after it.
CREATE FUNCTION "reserve_budget"(
  reservation UUID, run_pk UUID, step UUID, attempt INTEGER, worker UUID, budgets_of_runs JSONB, door TEXT, credits BIGINT
) RETURNS TABLE (scope TEXT, period TEXT, starts DATE, kind TEXT, used BIGINT, reserved BIGINT, most BIGINT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  bound RECORD;
  counter RECORD;
  counted BIGINT[] := '{}';
  today DATE := (clock_timestamp() AT TIME ZONE 'UTC')::date;
BEGIN
  PERFORM 1 FROM runs r
  WHERE r.id = reserve_budget.run_pk
     OR r.id IN (SELECT (b->>'root_run_pk')::uuid FROM jsonb_array_elements(budgets_of_runs) AS b)
  ORDER BY r.id FOR KEY SHARE;
  IF EXISTS (SELECT FROM budget_reservations b WHERE b.id = reservation) THEN RETURN; END IF;
  FOR bound IN
    WITH RECURSIVE callers AS (
      SELECT r.organization_id, r.workflow_id, r.parent_run_pk FROM runs r WHERE r.id = reserve_budget.run_pk
      UNION ALL
      SELECT r.organization_id, r.workflow_id, r.parent_run_pk FROM callers c JOIN runs r ON r.id = c.parent_run_pk
    ), bounds AS (
      SELECT CASE WHEN b.workflow_id IS NULL THEN 'organization' ELSE 'workflow' END AS scope,
             coalesce(b.workflow_id, b.organization_id) AS subject, b.period, b.organization_id, b.workflow_id, NULL::uuid AS root_run_pk,
             CASE b.period WHEN 'day' THEN today ELSE date_trunc('month', today)::date END AS starts,
             b.max_credits_mc, b.max_model_calls, b.max_effects
      FROM budgets b
      WHERE b.organization_id = (SELECT c.organization_id FROM callers c LIMIT 1)
        AND (b.workflow_id IS NULL OR b.workflow_id IN (SELECT c.workflow_id FROM callers c))
      UNION ALL
      SELECT 'run', (g->>'root_run_pk')::uuid, 'run', (SELECT c.organization_id FROM callers c LIMIT 1), NULL, (g->>'root_run_pk')::uuid,
             DATE '1970-01-01', (g->>'max_credits_mc')::bigint, (g->>'max_model_calls')::bigint, coalesce(g->'max_effects', '{}')
      FROM jsonb_array_elements(budgets_of_runs) AS g
    )
    SELECT b.* FROM bounds b ORDER BY b.scope, b.subject, b.period
  LOOP
    -- The update changes nothing: it locks the row, and returns it as it is now.
    INSERT INTO budget_counters AS c (organization_id, workflow_id, root_run_pk, scope, subject, period, starts)
    VALUES (bound.organization_id, bound.workflow_id, bound.root_run_pk, bound.scope, bound.subject, bound.period, bound.starts)
    ON CONFLICT (subject, period, starts) DO UPDATE SET scope = excluded.scope
    RETURNING c.* INTO counter;
    scope := bound.scope;
    period := bound.period;
    starts := bound.starts;
    reserved := 0;
    IF credits > 0 AND counter.used_mc + counter.reserved_mc + credits > bound.max_credits_mc THEN
      kind := 'credits';
      used := counter.used_mc;
      reserved := counter.reserved_mc;
      most := bound.max_credits_mc;
      RETURN NEXT;
      RETURN;
    END IF;
    IF door = 'model' AND counter.model_calls >= bound.max_model_calls THEN
      kind := 'model_calls';
      used := counter.model_calls;
      most := bound.max_model_calls;
      RETURN NEXT;
      RETURN;
    END IF;
    IF coalesce((counter.effects->>door)::bigint, 0) >= (bound.max_effects->>door)::bigint THEN
      kind := 'effects';
      used := coalesce((counter.effects->>door)::bigint, 0);
      most := (bound.max_effects->>door)::bigint;
      RETURN NEXT;
      RETURN;
    END IF;
    counted := counted || counter.id;
  END LOOP;
  UPDATE budget_counters c
  SET reserved_mc = c.reserved_mc + credits,
      model_calls = c.model_calls + CASE WHEN door = 'model' THEN 1 ELSE 0 END,
      effects = CASE WHEN door IN ('model', 'search') THEN c.effects
                     ELSE c.effects || jsonb_build_object(door, coalesce((c.effects->>door)::bigint, 0) + 1) END
  WHERE c.id = ANY (counted);
  IF credits > 0 OR step IS NULL THEN
    INSERT INTO budget_reservations (id, organization_id, run_pk, step_id, attempt, worker_id, credits_mc, counter_ids)
    SELECT reservation, r.organization_id, r.id, step, reserve_budget.attempt, worker, credits, counted
    FROM runs r WHERE r.id = reserve_budget.run_pk;
  END IF;
END $$;

-- Turns a reservation into what was used, once. Locks the reservation, then its counters in the order of reserve_budget.
CREATE FUNCTION "settle_budget"(reservation UUID, credits BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  ended budget_reservations;
BEGIN
  DELETE FROM budget_reservations b WHERE b.id = reservation RETURNING b.* INTO ended;
  IF ended.id IS NULL THEN RETURN; END IF;
  PERFORM 1 FROM budget_counters c WHERE c.id = ANY (ended.counter_ids) ORDER BY c.scope, c.subject, c.period FOR NO KEY UPDATE;
  UPDATE budget_counters c SET reserved_mc = c.reserved_mc - ended.credits_mc, used_mc = c.used_mc + credits
  WHERE c.id = ANY (ended.counter_ids);
END $$;
COMMIT;
