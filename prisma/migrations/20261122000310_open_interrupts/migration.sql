-- GET /interrupts reads the few open questions of an organization among all that were ever asked.
CREATE INDEX "run_interrupts_open_idx" ON "run_interrupts"("organization_id", "created_at" DESC) WHERE "status" = 'pending';
