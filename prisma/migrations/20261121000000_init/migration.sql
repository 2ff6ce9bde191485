-- Values of users (definitions, inputs, outputs) are `json`, not `jsonb`: their key order is theirs and is kept.

CREATE TABLE "users" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "subject" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'USER',
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "users_subject_key" ON "users"("subject");
CREATE INDEX "users_email_idx" ON "users"("email");

CREATE TABLE "organizations" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "domain" TEXT NOT NULL DEFAULT '',
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "stripe_customer_id" TEXT,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "has_ever_trialed" BOOLEAN NOT NULL DEFAULT false,
    "plan" TEXT NOT NULL DEFAULT 'free',
    "entitlements" JSONB NOT NULL DEFAULT '{}',
    "is_suspended" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "organizations_slug_key" ON "organizations"("slug");

CREATE TABLE "memberships" (
    "user_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id", "organization_id"),
    CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "memberships_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "memberships_organization_id_idx" ON "memberships"("organization_id");

CREATE TABLE "invitations" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "invited_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "invitations_email_status_idx" ON "invitations"("email", "status");
CREATE INDEX "invitations_organization_id_idx" ON "invitations"("organization_id");

CREATE TABLE "api_keys" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "key_hint" TEXT NOT NULL,
    "organization_id" UUID,
    "expires_at" TIMESTAMPTZ(3),
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "rate_limit_per_minute" INTEGER NOT NULL DEFAULT 60,
    "last_used_at" TIMESTAMPTZ(3),
    "last_used_ip" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "api_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "api_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "api_keys_fingerprint_key" ON "api_keys"("fingerprint");
CREATE INDEX "api_keys_user_id_idx" ON "api_keys"("user_id");

CREATE TABLE "workflows" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "creator_id" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "version" TEXT DEFAULT '1.0.0',
    "tags" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "category" TEXT,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "visibility" TEXT NOT NULL DEFAULT 'organization',
    "workflow_schema" JSON NOT NULL,
    "input" JSON NOT NULL DEFAULT '{}',
    "config" JSON NOT NULL DEFAULT '{}',
    "edit_version" INTEGER NOT NULL DEFAULT 0,
    "last_edited_by" UUID,
    "last_edited_at" TIMESTAMPTZ(3),
    "live_deployment_id" UUID,
    "deployment_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "workflows_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "workflows_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "workflows_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "workflows_organization_id_created_at_id_idx" ON "workflows"("organization_id", "created_at" DESC, "id" DESC);

CREATE TABLE "workflow_edits" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "workflow_id" UUID NOT NULL,
    "user_id" UUID,
    "edit_version" INTEGER NOT NULL,
    "patches" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "workflow_edits_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "workflow_edits_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "workflow_edits_workflow_id_edit_version_key" ON "workflow_edits"("workflow_id", "edit_version");

CREATE TABLE "deployments" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "version" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "deployment_note" TEXT,
    "schema_image_url" TEXT,
    "deployed_by" UUID,
    "is_live" BOOLEAN NOT NULL,
    "definition_hash" TEXT NOT NULL,
    "workflow_schema" JSON NOT NULL,
    "input" JSON NOT NULL,
    "config" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "deployments_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "deployments_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflows"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "deployments_workflow_id_ordinal_key" ON "deployments"("workflow_id", "ordinal" DESC);
-- At most one live deployment per workflow, whatever the application does.
CREATE UNIQUE INDEX "deployments_one_live" ON "deployments"("workflow_id") WHERE "is_live";

-- What runs execute: definitions by content, stored once per organization.
CREATE TABLE "definitions" (
    "organization_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "definition" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "definitions_pkey" PRIMARY KEY ("organization_id", "hash")
);

CREATE TABLE "chats" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "user_id" UUID,
    "thread_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'workflow',
    "title" TEXT NOT NULL DEFAULT '',
    "last_message_preview" TEXT,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "workflow_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "chats_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "chats_organization_id_thread_id_key" ON "chats"("organization_id", "thread_id");
CREATE INDEX "chats_user_id_kind_updated_at_id_idx" ON "chats"("user_id", "kind", "updated_at" DESC, "id" DESC);

CREATE TABLE "runs" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "run_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "root_run_pk" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "workflow_id" UUID,
    "deployment_id" UUID,
    "deployment_version" TEXT,
    "definition_hash" TEXT NOT NULL,
    "workflow_name" TEXT NOT NULL,
    "workflow_version" TEXT NOT NULL,
    "workflow_source" TEXT NOT NULL,
    "trigger_type" TEXT NOT NULL,
    "is_ad_hoc" BOOLEAN NOT NULL,
    "is_private" BOOLEAN NOT NULL DEFAULT false,
    "ephemeral" BOOLEAN NOT NULL DEFAULT false,
    "stream" BOOLEAN NOT NULL DEFAULT true,
    "thread_id" TEXT,
    "chat_id" UUID,
    "created_by" UUID,
    "status" TEXT NOT NULL DEFAULT 'running',
    "config" JSON NOT NULL DEFAULT '{}',
    "input" JSON NOT NULL DEFAULT '{}',
    "output" JSON,
    "output_summary" TEXT,
    "error" JSON,
    "usage" JSON,
    "handled_error_count" INTEGER NOT NULL DEFAULT 0,
    "last_seq" INTEGER NOT NULL DEFAULT 0,
    "resumed_from_run_pk" UUID,
    "parent_run_pk" UUID,
    "parent_step_id" UUID,
    "child_depth" INTEGER NOT NULL DEFAULT 0,
    "cancel_reason" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "last_event_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "runs_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "runs_status_check" CHECK ("status" IN ('running', 'interrupted', 'completed', 'failed', 'cancelled'))
);
CREATE UNIQUE INDEX "runs_run_id_key" ON "runs"("run_id");
CREATE INDEX "runs_organization_id_created_at_id_idx" ON "runs"("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "runs_workflow_id_created_at_id_idx" ON "runs"("workflow_id", "created_at" DESC, "id" DESC);
CREATE INDEX "runs_root_run_pk_idx" ON "runs"("root_run_pk");
CREATE INDEX "runs_parent_run_pk_idx" ON "runs"("parent_run_pk") WHERE "parent_run_pk" IS NOT NULL;
CREATE INDEX "runs_ephemeral_idx" ON "runs"("completed_at") WHERE "ephemeral";
CREATE INDEX "runs_open_idx" ON "runs"("last_event_at") WHERE "status" = 'running';
CREATE INDEX "runs_open_thread_idx" ON "runs"("organization_id", "thread_id") WHERE "status" IN ('running', 'interrupted');

-- A terminal status never changes (reliability promise G5); an answered or expired question opens a run of its own.
CREATE FUNCTION "runs_status_is_monotonic"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status IN ('completed', 'failed', 'cancelled') AND NEW.status <> OLD.status THEN
        RAISE EXCEPTION 'run % is %, it cannot become %', OLD.id, OLD.status, NEW.status;
    END IF;
    IF OLD.status = 'interrupted' AND NEW.status NOT IN ('interrupted', 'cancelled', 'failed') THEN
        RAISE EXCEPTION 'run % is interrupted, it cannot become %', OLD.id, NEW.status;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "runs_status_is_monotonic" BEFORE UPDATE OF "status" ON "runs" FOR EACH ROW EXECUTE FUNCTION "runs_status_is_monotonic"();

-- Where the interpreter stands, once per execution: the number of its last committed advance. Serializes advances.
CREATE TABLE "run_cursors" (
    "root_run_pk" UUID NOT NULL,
    "advance" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "run_cursors_pkey" PRIMARY KEY ("root_run_pk"),
    CONSTRAINT "run_cursors_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What the latest advances answered: a workflow task that is repeated after a lost worker gets the same answers again.
CREATE TABLE "run_advances" (
    "root_run_pk" UUID NOT NULL,
    "advance" INTEGER NOT NULL,
    "result" JSON NOT NULL,
    CONSTRAINT "run_advances_pkey" PRIMARY KEY ("root_run_pk", "advance"),
    CONSTRAINT "run_advances_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- User-declared state fields of an execution. A node's own result is in run_steps.
CREATE TABLE "run_fields" (
    "root_run_pk" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "value" JSON NOT NULL,
    CONSTRAINT "run_fields_pkey" PRIMARY KEY ("root_run_pk", "name"),
    CONSTRAINT "run_fields_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "run_events" (
    "run_pk" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_pk", "seq"),
    CONSTRAINT "run_events_run_pk_fkey" FOREIGN KEY ("run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- Exactly one terminal frame per run.
CREATE UNIQUE INDEX "run_events_one_terminal" ON "run_events"("run_pk") WHERE "type" IN ('run_completed', 'run_failed', 'run_cancelled', 'run_interrupted');

CREATE TABLE "run_steps" (
    "step_id" UUID NOT NULL,
    "run_pk" UUID NOT NULL,
    "root_run_pk" UUID NOT NULL,
    "node_id" TEXT NOT NULL,
    "node_type" TEXT NOT NULL,
    "node_name" TEXT NOT NULL,
    "visit" INTEGER NOT NULL,
    "item_index" INTEGER NOT NULL DEFAULT -1,
    "parent_step_id" UUID,
    "iteration" INTEGER,
    "depth" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "effect" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "attempts" JSON NOT NULL DEFAULT '[]',
    "sent_at" TIMESTAMPTZ(3),
    "input" JSON,
    "output" JSON,
    "error" JSON,
    "error_handled" BOOLEAN NOT NULL DEFAULT false,
    "selected_handle" TEXT,
    "warnings" JSON NOT NULL DEFAULT '[]',
    "usage" JSON,
    "logs" JSON,
    "tool_calls" JSON NOT NULL DEFAULT '[]',
    "child_run_pk" UUID,
    "outcome" JSON,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    CONSTRAINT "run_steps_pkey" PRIMARY KEY ("step_id"),
    CONSTRAINT "run_steps_run_pk_fkey" FOREIGN KEY ("run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "run_steps_run_pk_node_id_visit_item_index_key" ON "run_steps"("run_pk", "node_id", "visit", "item_index");
CREATE INDEX "run_steps_root_run_pk_node_id_visit_idx" ON "run_steps"("root_run_pk", "node_id", "visit" DESC);
CREATE INDEX "run_steps_run_pk_position_idx" ON "run_steps"("run_pk", "position");

CREATE TABLE "run_interrupts" (
    "id" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "root_run_pk" UUID NOT NULL,
    "run_pk" UUID NOT NULL,
    "node_id" TEXT NOT NULL,
    "visit" INTEGER NOT NULL,
    "step_id" UUID NOT NULL,
    "question" JSON NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "response" JSON,
    "responded_by" UUID,
    "responded_at" TIMESTAMPTZ(3),
    "resume_run_pk" UUID,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "run_interrupts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "run_interrupts_root_run_pk_fkey" FOREIGN KEY ("root_run_pk") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "run_interrupts_status_check" CHECK ("status" IN ('pending', 'claimed', 'consumed', 'expired', 'cancelled', 'superseded'))
);
CREATE UNIQUE INDEX "run_interrupts_asked_once" ON "run_interrupts"("root_run_pk", "node_id", "visit");

CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "run_pk" UUID NOT NULL,
    "root_run_pk" UUID NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "outbox_kind_check" CHECK ("kind" IN ('start', 'resume', 'cancel'))
);
CREATE INDEX "outbox_due_at_idx" ON "outbox"("due_at");
CREATE INDEX "outbox_root_run_pk_idx" ON "outbox"("root_run_pk");

CREATE TABLE "idempotency_keys" (
    "organization_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "response" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("organization_id", "key")
);
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

CREATE TABLE "thread_messages" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "thread_id" TEXT NOT NULL,
    "run_pk" UUID NOT NULL,
    "step_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "thread_messages_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "thread_messages_organization_id_thread_id_id_idx" ON "thread_messages"("organization_id", "thread_id", "id");
CREATE UNIQUE INDEX "thread_messages_step_id_role_key" ON "thread_messages"("step_id", "role");

CREATE TABLE "support_requests" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "organization_id" UUID,
    "subject" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "support_requests_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "support_requests_user_id_idx" ON "support_requests"("user_id");
