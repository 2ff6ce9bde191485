-- The credential with the webhook of a chat: its address stands neither in the definition nor here.
ALTER TABLE "answer_links" ADD COLUMN "credential_id" UUID;
