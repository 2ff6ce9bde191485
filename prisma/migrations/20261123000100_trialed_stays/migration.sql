-- Who has had a trial has had it: whatever writes an organization, the mark stays (SPEC API-organization-trial).
CREATE FUNCTION keep_trialed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'has_ever_trialed cannot be cleared' USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER organizations_trialed_stays BEFORE UPDATE OF has_ever_trialed ON organizations
  FOR EACH ROW WHEN (OLD.has_ever_trialed AND NOT NEW.has_ever_trialed) EXECUTE FUNCTION keep_trialed();
