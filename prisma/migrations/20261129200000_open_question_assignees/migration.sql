-- Who may answer each open question, a row for each of them: a page of those of one person is read in the order of the list. In JSON, as
-- the question has them, they have no order, so every open question of the organization was read.
CREATE TABLE "open_question_assignees" (
    "interrupt_id" TEXT NOT NULL,
    -- `role:` and a role, `user:` and the id of a user, or `everyone`.
    "assignee" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL
);
ALTER TABLE "open_question_assignees" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "of_organization" ON "open_question_assignees" USING (
    (SELECT current_user <> 'workflow_tenant')
    OR organization_id = (SELECT nullif(current_setting('app.organization_id', true), '')::uuid)
);

-- No role and no id of a user is longer than 64 characters; a longer text is no entry of an index.
CREATE FUNCTION "question_assignees"("question" JSON) RETURNS SETOF TEXT LANGUAGE sql IMMUTABLE AS $$
    WITH named AS (
        SELECT json_array_elements_text(question->'assignees'->'roles') AS name, 'role:' AS kind
        UNION ALL
        SELECT json_array_elements_text(question->'assignees'->'user_ids'), 'user:'
    )
    SELECT DISTINCT kind || name FROM named WHERE length(name) <= 64
    UNION ALL
    SELECT 'everyone' WHERE question->>'kind' <> 'callback' AND NOT EXISTS (SELECT FROM named)
$$;

-- A trigger, because a process of the release before opens and closes questions as well.
CREATE FUNCTION "open_questions_have_assignees"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'pending' THEN
        INSERT INTO open_question_assignees (interrupt_id, assignee, organization_id, created_at)
        SELECT NEW.id, assignee, NEW.organization_id, NEW.created_at FROM question_assignees(NEW.question) AS assignee;
    ELSE
        DELETE FROM open_question_assignees WHERE interrupt_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "open_questions_have_assignees" AFTER INSERT ON "run_interrupts"
    FOR EACH ROW WHEN (NEW.status = 'pending') EXECUTE FUNCTION "open_questions_have_assignees"();
CREATE TRIGGER "closed_questions_have_no_assignees" AFTER UPDATE OF "status" ON "run_interrupts"
    FOR EACH ROW WHEN (OLD.status <> NEW.status AND 'pending' IN (OLD.status, NEW.status)) EXECUTE FUNCTION "open_questions_have_assignees"();

-- Writers of questions wait for this transaction, so none is missed. Indexes and keys come afterwards: checked row by row, the keys of ten
-- million questions took more than ten minutes.
INSERT INTO "open_question_assignees" ("interrupt_id", "assignee", "organization_id", "created_at")
SELECT i.id, assignee, i.organization_id, i.created_at
FROM "run_interrupts" i CROSS JOIN LATERAL question_assignees(i.question) AS assignee WHERE i.status = 'pending';
ALTER TABLE "open_question_assignees"
    ADD CONSTRAINT "open_question_assignees_pkey" PRIMARY KEY ("interrupt_id", "assignee"),
    ADD CONSTRAINT "open_question_assignees_interrupt_id_fkey" FOREIGN KEY ("interrupt_id") REFERENCES "run_interrupts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "open_question_assignees_in_order_idx" ON "open_question_assignees"("organization_id", "assignee", "created_at" DESC, "interrupt_id" DESC);
