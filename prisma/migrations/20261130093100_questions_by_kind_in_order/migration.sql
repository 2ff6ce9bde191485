-- Only open questions are listed by kind. Each statement is a transaction of its own: an index waits for writers, which may wait for rows
-- that a change in its transaction holds.
BEGIN;
UPDATE "run_interrupts" SET kind = question->>'kind' WHERE status = 'pending' AND kind IS NULL;
COMMIT;
BEGIN;
UPDATE "open_question_assignees" a SET kind = i.kind FROM "run_interrupts" i WHERE i.id = a.interrupt_id AND a.kind IS NULL;
COMMIT;
BEGIN;
CREATE INDEX "run_interrupts_open_by_kind_idx" ON "run_interrupts"("organization_id", "kind", "created_at" DESC, "id" DESC) WHERE "status" = 'pending';
COMMIT;
BEGIN;
CREATE INDEX "open_question_assignees_by_kind_idx" ON "open_question_assignees"("organization_id", "assignee", "kind", "created_at" DESC, "interrupt_id" DESC);
COMMIT;
