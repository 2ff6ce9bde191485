-- More senders prove themselves in their own way, and `hmac` in the way that the webhook describes.
ALTER TABLE "hooks" ADD COLUMN "signature" JSON NOT NULL DEFAULT 'null',
    DROP CONSTRAINT "hooks_verification_check",
    ADD CONSTRAINT "hooks_verification_check" CHECK ("verification" IN (
        'none', 'bearer', 'basic', 'standard', 'github', 'stripe', 'slack', 'shopify', 'gitlab', 'twilio', 'typeform', 'calendly',
        'zoom', 'telegram', 'hmac'));

DROP TRIGGER "audit_hooks" ON "hooks";
CREATE TRIGGER "audit_hooks" AFTER INSERT OR DELETE OR UPDATE OF "name", "enabled", "verification", "signature", "methods", "filter", "mapping", "response", "deduplicate_by", "id_header", "token_hash", "ciphertext" ON "hooks"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('hook', 'id,organization_id,name', 'name!', 'verification!', 'signature', 'methods!', 'filter', 'mapping', 'response', 'deduplicate_by!', 'id_header!', 'enabled!=enabled/disabled', 'ciphertext=secret_changed', 'token_hash=rotated');
