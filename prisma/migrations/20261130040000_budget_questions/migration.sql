-- A run that reaches a budget may ask people instead of failing, and they may raise the budget for it.
BEGIN;
-- By how much a budget is higher for one run and the sub-workflows that it calls.
CREATE TABLE "budget_raises" (
    -- The question whose answer has raised it.
    "interrupt_id" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    -- The topmost caller of the run that has asked.
    "root_run_pk" UUID NOT NULL,
    -- That of the counter, as its period and start.
    "subject" UUID NOT NULL,
    "period" TEXT NOT NULL,
    "starts" DATE NOT NULL,
    "kind" TEXT NOT NULL,
    "door" TEXT NOT NULL,
    -- Thousandths of a credit, calls or changes.
    "amount" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "budget_raises_pkey" PRIMARY KEY ("interrupt_id"),
    CONSTRAINT "budget_raises_kind_check" CHECK ("kind" IN ('credits', 'model_calls', 'effects')),
    CONSTRAINT "budget_raises_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "budget_raises_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "budget_raises_organization_id_idx" ON "budget_raises"("organization_id");
CREATE INDEX "budget_raises_root_run_pk_idx" ON "budget_raises"("root_run_pk");
ALTER TABLE "budget_raises" ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON "budget_raises" USING ((SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid));
COMMIT;

BEGIN;
ALTER TABLE "budgets" ADD COLUMN "on_limit" TEXT NOT NULL DEFAULT 'fail',
    ADD CONSTRAINT "budgets_on_limit_check" CHECK ("on_limit" IN ('ask', 'fail'));
DROP TRIGGER "audit_budgets" ON "budgets";
CREATE TRIGGER "audit_budgets" AFTER INSERT OR DELETE OR UPDATE OF "max_credits_mc", "max_model_calls", "max_effects", "on_limit" ON "budgets"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('budget', 'id,organization_id,period', 'max_credits_mc!', 'max_model_calls!', 'max_effects!', 'on_limit!');

-- Raises a budget for the run that has asked and for all that its topmost caller has called, once for each question.
CREATE FUNCTION "raise_budget"(
  question TEXT, run_pk UUID, budget_subject UUID, budget_period TEXT, budget_starts DATE, raised_kind TEXT, raised_door TEXT, by_amount BIGINT
) RETURNS VOID LANGUAGE sql AS $$
  WITH RECURSIVE callers AS (
    SELECT r.organization_id, r.root_run_pk, r.parent_run_pk FROM runs r WHERE r.id = raise_budget.run_pk
    UNION ALL
    SELECT r.organization_id, r.root_run_pk, r.parent_run_pk FROM callers c JOIN runs r ON r.id = c.parent_run_pk
  )
  INSERT INTO budget_raises (interrupt_id, organization_id, root_run_pk, subject, period, starts, kind, door, amount)
  SELECT question, c.organization_id, c.root_run_pk, budget_subject, budget_period, budget_starts, raised_kind, raised_door, by_amount
  FROM callers c WHERE c.parent_run_pk IS NULL
  ON CONFLICT (interrupt_id) DO NOTHING
$$;
COMMIT;
