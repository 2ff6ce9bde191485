-- Canvas co-editing. A room is owned by one process at a time: the lease says which, and its epoch fences off every
-- earlier owner. It expires by the database's clock alone; a released lease keeps its row, so that epochs only rise.
CREATE TABLE "realtime_room_leases" (
    "workflow_id" UUID NOT NULL,
    "node_id" UUID NOT NULL,
    "node_url" TEXT,
    "epoch" BIGINT NOT NULL DEFAULT 1,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    -- How often others have asked for a save of the room, and up to which of these it has answered.
    "flush_asked" INTEGER NOT NULL DEFAULT 0,
    "flush_done" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "realtime_room_leases_pkey" PRIMARY KEY ("workflow_id"),
    CONSTRAINT "realtime_room_leases_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX "realtime_room_leases_node_id_idx" ON "realtime_room_leases"("node_id");

-- The write-ahead log of rooms: accepted operations, until a save contains them and for an hour after, to recognise
-- those that are sent again. It hangs on the lease and not on the workflow: a foreign key takes a lock on what it
-- names, and a writer that holds a workflow's row must not stop the log of all rooms.
CREATE TABLE "realtime_ops" (
    "workflow_id" UUID NOT NULL,
    "epoch" BIGINT NOT NULL,
    "version" INTEGER NOT NULL,
    "op_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "op" JSON NOT NULL,
    "base_edit_version" INTEGER NOT NULL,
    "saved_in" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "realtime_ops_pkey" PRIMARY KEY ("workflow_id", "epoch", "version"),
    CONSTRAINT "realtime_ops_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "realtime_room_leases"("workflow_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "realtime_ops_workflow_id_op_id_key" ON "realtime_ops"("workflow_id", "op_id");
CREATE INDEX "realtime_ops_unsaved_idx" ON "realtime_ops"("workflow_id") WHERE "saved_in" IS NULL;
CREATE INDEX "realtime_ops_created_at_idx" ON "realtime_ops"("created_at");

-- A save of a room may contain the work of several people; user_id is the author of its last operation.
ALTER TABLE "workflow_edits" ADD COLUMN "contributors" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[];

-- Who may no longer do something is told to the rooms with the commit that decided it, whoever made the change.
CREATE FUNCTION "notify_access"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('authz', json_build_object('o', OLD.organization_id, 'u', OLD.user_id)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "memberships_access_changed" AFTER UPDATE OF "role", "is_active" ON "memberships"
  FOR EACH ROW WHEN (OLD.role IS DISTINCT FROM NEW.role OR OLD.is_active IS DISTINCT FROM NEW.is_active)
  EXECUTE FUNCTION "notify_access"();
CREATE TRIGGER "memberships_access_removed" AFTER DELETE ON "memberships"
  FOR EACH ROW EXECUTE FUNCTION "notify_access"();

CREATE FUNCTION "notify_user_access"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('authz', json_build_object('u', OLD.id)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "users_access_changed" AFTER UPDATE OF "is_active" ON "users"
  FOR EACH ROW WHEN (OLD.is_active IS DISTINCT FROM NEW.is_active) EXECUTE FUNCTION "notify_user_access"();

CREATE FUNCTION "notify_organization_access"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('authz', json_build_object('o', OLD.id)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "organizations_access_changed" AFTER UPDATE OF "is_active" ON "organizations"
  FOR EACH ROW WHEN (OLD.is_active IS DISTINCT FROM NEW.is_active) EXECUTE FUNCTION "notify_organization_access"();

-- A room of a workflow that is gone must not write it back.
CREATE FUNCTION "notify_workflow_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wf', json_build_object('w', OLD.id, 'd', true)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "workflows_deleted" AFTER DELETE ON "workflows"
  FOR EACH ROW EXECUTE FUNCTION "notify_workflow_deleted"();
