-- Answers of callbacks that came before their node waits: the node takes its answer when it opens its question.
CREATE TABLE "callback_answers" (
    "root_run_pk" UUID NOT NULL,
    "node_id" TEXT NOT NULL,
    "visit" INTEGER NOT NULL,
    "organization_id" UUID NOT NULL,
    "data" JSON NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT "callback_answers_pkey" PRIMARY KEY ("root_run_pk", "node_id", "visit"),
    CONSTRAINT "callback_answers_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
