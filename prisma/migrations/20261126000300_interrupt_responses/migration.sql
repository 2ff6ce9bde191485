-- The answers of people to questions that need several; a question that needs one has its answer in its own row. A person, known by
-- the e-mail address, answers once.
CREATE TABLE "interrupt_responses" (
    "interrupt_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" UUID,
    "action" TEXT,
    "data" JSON NOT NULL,
    "responded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT "interrupt_responses_pkey" PRIMARY KEY ("interrupt_id", "email"),
    CONSTRAINT "interrupt_responses_interrupt_id_fkey" FOREIGN KEY ("interrupt_id") REFERENCES "run_interrupts"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
