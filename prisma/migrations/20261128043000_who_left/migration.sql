-- A link of a person who was removed from the organization after it was made.
ALTER TABLE "answer_links" ADD COLUMN "revoked_at" TIMESTAMPTZ(3);

-- What a member has made or holds in an organization ends with the membership, however it is deleted: it must not come to life again
-- with a later invitation.
CREATE FUNCTION "end_access_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    revoked RECORD;
BEGIN
    FOR revoked IN
        UPDATE api_keys k SET is_active = false, revoked_at = now()
        WHERE k.organization_id = OLD.organization_id AND k.is_active AND OLD.user_id IN (k.user_id, k.created_by) RETURNING k.id, k.name
    LOOP
        -- The trigger of the keys takes this for a part of the removal, which does not name them.
        IF pg_trigger_depth() = 1 THEN
            PERFORM record_action(OLD.organization_id, 'api_key.revoked',
                                  jsonb_build_object('type', 'api_key', 'id', revoked.id, 'name', revoked.name), '{"fields": ["is_active"]}');
        END IF;
    END LOOP;
    DELETE FROM invitations i WHERE i.organization_id = OLD.organization_id AND i.invited_by = OLD.user_id AND i.status = 'pending';
    UPDATE answer_links l SET revoked_at = now() FROM users u
    WHERE u.id = OLD.user_id AND l.organization_id = OLD.organization_id AND l.address = lower(u.email) AND l.revoked_at IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER "end_access_of_member" AFTER DELETE ON "memberships" FOR EACH ROW EXECUTE FUNCTION "end_access_of_member"();

-- Keys of service accounts whose maker has left before go on: nobody has been told that they would end.
UPDATE "api_keys" AS k SET "created_by" = NULL
WHERE k."created_by" IS NOT NULL AND NOT EXISTS (
    SELECT FROM "memberships" m JOIN "users" u ON u."id" = m."user_id"
    WHERE m."user_id" = k."created_by" AND m."organization_id" = k."organization_id" AND m."is_active" AND u."is_active"
      AND (m."role" = 'owner' OR m."role" = 'admin' AND NOT EXISTS (
        SELECT FROM "memberships" o WHERE o."user_id" = k."user_id" AND o."organization_id" = k."organization_id" AND o."role" = 'owner')));

CREATE INDEX "answer_links_organization_id_address_idx" ON "answer_links"("organization_id", "address");
