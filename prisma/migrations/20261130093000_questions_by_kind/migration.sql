-- The kind of a question, by which GET /interrupts lists. No index over `question` would do: behind the wall between organizations an
-- expression of JSON is no condition of an index, because it might tell of rows of others. A trigger, because a process of the release before
-- opens questions as well; a generated column would rewrite the table.
-- One table at a time: a list of questions locks both in the other order.
BEGIN;
ALTER TABLE "run_interrupts" ADD COLUMN "kind" TEXT;
COMMIT;
BEGIN;
ALTER TABLE "open_question_assignees" ADD COLUMN "kind" TEXT;
COMMIT;
BEGIN;
CREATE FUNCTION "questions_have_kinds"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.kind := NEW.question->>'kind';
    RETURN NEW;
END $$;
CREATE TRIGGER "questions_have_kinds" BEFORE INSERT ON "run_interrupts"
    FOR EACH ROW WHEN (NEW.kind IS NULL) EXECUTE FUNCTION "questions_have_kinds"();
CREATE OR REPLACE FUNCTION "open_questions_have_assignees"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'pending' THEN
        INSERT INTO open_question_assignees (interrupt_id, assignee, organization_id, created_at, kind)
        SELECT NEW.id, assignee, NEW.organization_id, NEW.created_at, NEW.question->>'kind' FROM question_assignees(NEW.question) AS assignee;
    ELSE
        DELETE FROM open_question_assignees WHERE interrupt_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
COMMIT;
