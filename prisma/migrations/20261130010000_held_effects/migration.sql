-- Requests that wait for approval, as they will be sent: sealed as credentials are. An edit is another revision.
CREATE TABLE "held_effects" (
    "id" UUID NOT NULL,
    "interrupt_id" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "approved_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "held_effects_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "held_effects_interrupt_id_fkey" FOREIGN KEY ("interrupt_id") REFERENCES "run_interrupts"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "held_effects_interrupt_id_revision_key" ON "held_effects"("interrupt_id", "revision");
ALTER TABLE "held_effects" ENABLE ROW LEVEL SECURITY;
-- Sub-selects are evaluated once for a statement, not for each row.
CREATE POLICY of_organization ON "held_effects" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);
