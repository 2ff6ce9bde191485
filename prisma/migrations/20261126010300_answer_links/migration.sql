-- Links by which people without an account answer a question, and their messages. The links are signed and stand nowhere.
CREATE TABLE "answer_links" (
    "interrupt_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "root_run_pk" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "url" TEXT,
    "remind_seconds" INTEGER,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sent_count" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "answer_links_pkey" PRIMARY KEY ("interrupt_id", "address"),
    CONSTRAINT "answer_links_channel_check" CHECK ("channel" IN ('email', 'slack', 'teams', 'discord')),
    CONSTRAINT "answer_links_interrupt_id_fkey" FOREIGN KEY ("interrupt_id") REFERENCES "run_interrupts"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "answer_links_due_at_idx" ON "answer_links"("due_at");

-- The address of a person without an account who has answered.
ALTER TABLE "run_interrupts" ADD COLUMN "responded_email" TEXT;
