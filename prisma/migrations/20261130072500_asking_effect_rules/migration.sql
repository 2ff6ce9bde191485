-- A rule may ask people about the effects that match it; `confirmation` says whom. An older process takes such a rule for one that refuses.
ALTER TABLE "effect_rules" ADD COLUMN "confirmation" JSONB;
ALTER TABLE "effect_rules" DROP CONSTRAINT "effect_rules_decision_check";
ALTER TABLE "effect_rules" ADD CONSTRAINT "effect_rules_decision_check" CHECK (
    "decision" IN ('allow', 'refuse', 'ask') AND ("decision" <> 'ask' OR "confirmation" IS NOT NULL)
);
DROP TRIGGER "audit_effect_rules" ON "effect_rules";
CREATE TRIGGER "audit_effect_rules" AFTER INSERT OR DELETE OR UPDATE OF "name", "decision", "condition", "confirmation", "position" ON "effect_rules"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('effect_rule', 'id,organization_id,name', 'name!', 'decision!', 'condition', 'confirmation', 'position!');
