-- Responses that clients of OpenAI have deleted. The run itself stays in the history.
CREATE TABLE "deleted_responses" (
    "root_run_pk" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "deleted_responses_pkey" PRIMARY KEY ("root_run_pk"),
    CONSTRAINT "deleted_responses_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
