-- A rule is changed in its place since PATCH /effect-rules/{effect_rule_id}.
DROP TRIGGER "audit_effect_rules" ON "effect_rules";
CREATE TRIGGER "audit_effect_rules" AFTER INSERT OR DELETE OR UPDATE OF "name", "decision", "condition", "position" ON "effect_rules"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('effect_rule', 'id,organization_id,name', 'name!', 'decision!', 'condition', 'position!');
