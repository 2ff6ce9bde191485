-- What agents have done, turn by turn and call by call: each is written before the next begins, so that a repetition
-- after a crash does nothing twice.
CREATE TABLE "agent_turns" (
    "step_id" UUID NOT NULL,
    "turn" INTEGER NOT NULL,
    "first_attempt" INTEGER NOT NULL,
    "opening" JSON,
    "reply" JSON,
    "usage" JSON,
    CONSTRAINT "agent_turns_pkey" PRIMARY KEY ("step_id", "turn"),
    CONSTRAINT "agent_turns_step_id_fkey" FOREIGN KEY ("step_id") REFERENCES "run_steps"("step_id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "agent_calls" (
    "step_id" UUID NOT NULL,
    "turn" INTEGER NOT NULL,
    "call" INTEGER NOT NULL,
    "asked" JSON NOT NULL,
    "status" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "lost" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "answer" JSON,
    "child_run_pk" UUID,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    CONSTRAINT "agent_calls_pkey" PRIMARY KEY ("step_id", "turn", "call"),
    CONSTRAINT "agent_calls_status_check" CHECK ("status" IN ('ready', 'running', 'done')),
    CONSTRAINT "agent_calls_step_id_turn_fkey" FOREIGN KEY ("step_id", "turn") REFERENCES "agent_turns"("step_id", "turn") ON DELETE CASCADE ON UPDATE CASCADE
);
