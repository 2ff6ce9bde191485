-- Rules of an organization over the effects of its workflows; the first by position that matches decides.
CREATE TABLE "effect_rules" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "condition" JSONB NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "effect_rules_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "effect_rules_decision_check" CHECK ("decision" IN ('allow', 'refuse')),
    CONSTRAINT "effect_rules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "effect_rules_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "effect_rules_organization_id_position_id_idx" ON "effect_rules"("organization_id", "position", "id");
CREATE TRIGGER "audit_effect_rules" AFTER INSERT OR DELETE OR UPDATE OF "position" ON "effect_rules"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('effect_rule', 'id,organization_id,name', 'name!', 'decision!', 'position!');
ALTER TABLE "effect_rules" ENABLE ROW LEVEL SECURITY;
-- Sub-selects are evaluated once for a statement, not for each row.
CREATE POLICY of_organization ON "effect_rules" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);
