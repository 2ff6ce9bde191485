-- The audit log of one person, and of one action or type of actions, among many others. Collation C: a type is a range of its actions.
-- CREATE INDEX without CONCURRENTLY: a migration is a transaction, and acts on watched tables wait for it.
CREATE INDEX "audit_log_by_actor_idx" ON "audit_log"("organization_id", "actor_id", "created_at" DESC, "id" DESC) WHERE "actor_id" IS NOT NULL;
CREATE INDEX "audit_log_by_action_idx" ON "audit_log"("organization_id", "action" COLLATE "C", "created_at" DESC, "id" DESC);
