-- Budgets tell when 80 % and all of them are used: each once in a period.
BEGIN;
ALTER TABLE "budget_counters"
    -- The first use for which there was no place.
    ADD COLUMN "reached_at" TIMESTAMPTZ(3),
    -- The share of which endpoints were told: 0, 80 or 100.
    ADD COLUMN "told_percent" INTEGER NOT NULL DEFAULT 0;

-- Counts one use on each budget that binds a run, all or none, and reserves its credits. Returns the first budget that has no place for
-- it; no row: it is counted. `runs` are the budgets of the run and of its callers, as in runs.caller_budgets. `step` of null: the use is
-- counted once by `reservation`, however often it is asked for. What people have raised for the run, or for a run that has called it, is added.
--
-- Locks: runs by id, then counters by scope, subject and period. Statements that hold a counter take no run after it.
DROP FUNCTION "reserve_budget"(UUID, UUID, UUID, INTEGER, UUID, JSONB, TEXT, BIGINT);
CREATE FUNCTION "reserve_budget"(
  reservation UUID, run_pk UUID, step UUID, attempt INTEGER, worker UUID, budgets_of_runs JSONB, door TEXT, credits BIGINT
) RETURNS TABLE (
  scope TEXT, subject UUID, period TEXT, starts DATE, kind TEXT, used BIGINT, reserved BIGINT, most BIGINT, on_limit TEXT, assignees JSONB
) LANGUAGE plpgsql AS $$
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
      SELECT r.organization_id, r.workflow_id, r.root_run_pk, r.parent_run_pk FROM runs r WHERE r.id = reserve_budget.run_pk
      UNION ALL
      SELECT r.organization_id, r.workflow_id, r.root_run_pk, r.parent_run_pk FROM callers c JOIN runs r ON r.id = c.parent_run_pk
    ), bounds AS (
      SELECT CASE WHEN b.workflow_id IS NULL THEN 'organization' ELSE 'workflow' END AS scope,
             coalesce(b.workflow_id, b.organization_id) AS subject, b.period, b.organization_id, b.workflow_id, NULL::uuid AS root_run_pk,
             CASE b.period WHEN 'day' THEN today ELSE date_trunc('month', today)::date END AS starts,
             b.max_credits_mc, b.max_model_calls, b.max_effects, b.on_limit, NULL::jsonb AS assignees
      FROM budgets b
      WHERE b.organization_id = (SELECT c.organization_id FROM callers c LIMIT 1)
        AND (b.workflow_id IS NULL OR b.workflow_id IN (SELECT c.workflow_id FROM callers c))
      UNION ALL
      SELECT 'run', (g->>'root_run_pk')::uuid, 'run', (SELECT c.organization_id FROM callers c LIMIT 1), NULL, (g->>'root_run_pk')::uuid,
             DATE '1970-01-01', (g->>'max_credits_mc')::bigint, (g->>'max_model_calls')::bigint, coalesce(g->'max_effects', '{}'),
             coalesce(g->>'on_limit', 'fail'), nullif(g->'assignees', 'null'::jsonb)
      FROM jsonb_array_elements(budgets_of_runs) AS g
    )
    SELECT b.scope, b.subject, b.period, b.organization_id, b.workflow_id, b.root_run_pk, b.starts, b.on_limit, b.assignees,
           b.max_credits_mc + raised.credits AS max_credits_mc, b.max_model_calls + raised.calls AS max_model_calls,
           (b.max_effects->>door)::bigint + raised.changes AS max_changes
    FROM bounds b
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(x.amount) FILTER (WHERE x.kind = 'credits'), 0)::bigint AS credits,
             coalesce(sum(x.amount) FILTER (WHERE x.kind = 'model_calls'), 0)::bigint AS calls,
             coalesce(sum(x.amount) FILTER (WHERE x.kind = 'effects' AND x.door = reserve_budget.door), 0)::bigint AS changes
      FROM budget_raises x
      WHERE x.root_run_pk IN (SELECT c.root_run_pk FROM callers c)
        AND x.subject = b.subject AND x.period = b.period AND x.starts = b.starts
    ) AS raised
    ORDER BY b.scope, b.subject, b.period
  LOOP
    -- The update changes nothing: it locks the row, and returns it as it is now.
    INSERT INTO budget_counters AS c (organization_id, workflow_id, root_run_pk, scope, subject, period, starts)
    VALUES (bound.organization_id, bound.workflow_id, bound.root_run_pk, bound.scope, bound.subject, bound.period, bound.starts)
    ON CONFLICT (subject, period, starts) DO UPDATE SET scope = excluded.scope
    RETURNING c.* INTO counter;
    scope := bound.scope;
    subject := bound.subject;
    on_limit := bound.on_limit;
    assignees := bound.assignees;
    period := bound.period;
    starts := bound.starts;
    reserved := 0;
    IF credits > 0 AND counter.used_mc + counter.reserved_mc + credits > bound.max_credits_mc THEN
      kind := 'credits';
      used := counter.used_mc;
      reserved := counter.reserved_mc;
      most := bound.max_credits_mc;
      -- What calls under way have reserved may still be given back.
      IF counter.used_mc + credits > bound.max_credits_mc THEN
        UPDATE budget_counters c SET reached_at = clock_timestamp() WHERE c.id = counter.id AND c.reached_at IS NULL;
      END IF;
      RETURN NEXT;
      RETURN;
    END IF;
    IF door = 'model' AND counter.model_calls >= bound.max_model_calls THEN
      kind := 'model_calls';
      used := counter.model_calls;
      most := bound.max_model_calls;
      UPDATE budget_counters c SET reached_at = clock_timestamp() WHERE c.id = counter.id AND c.reached_at IS NULL;
      RETURN NEXT;
      RETURN;
    END IF;
    IF coalesce((counter.effects->>door)::bigint, 0) >= bound.max_changes THEN
      kind := 'effects';
      used := coalesce((counter.effects->>door)::bigint, 0);
      most := bound.max_changes;
      UPDATE budget_counters c SET reached_at = clock_timestamp() WHERE c.id = counter.id AND c.reached_at IS NULL;
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
COMMIT;
