-- Chats: what their owners keep at hand, and the runs of each in the order of its messages.
ALTER TABLE "chats" ADD COLUMN "pinned" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "runs_chat_idx" ON "runs"("chat_id", "created_at" DESC, "id" DESC) WHERE "trigger_type" = 'chat';

-- The step of a run that made an edit (the Composer's): a step that is repeated after a crash has saved once.
ALTER TABLE "workflow_edits" ADD COLUMN "step_id" UUID;
CREATE UNIQUE INDEX "workflow_edits_step_id_key" ON "workflow_edits"("step_id");

-- Tool calls that wait for a person, and the question of each: an agent may ask several times in one visit.
ALTER TABLE "agent_calls" DROP CONSTRAINT "agent_calls_status_check";
ALTER TABLE "agent_calls" ADD CONSTRAINT "agent_calls_status_check" CHECK ("status" IN ('asked', 'ready', 'running', 'done'));
ALTER TABLE "run_interrupts" ADD COLUMN "turn" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "call" INTEGER NOT NULL DEFAULT 0;
DROP INDEX "run_interrupts_asked_once";
CREATE UNIQUE INDEX "run_interrupts_asked_once" ON "run_interrupts"("root_run_pk", "node_id", "visit", "turn", "call");
