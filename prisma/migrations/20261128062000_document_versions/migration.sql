-- A new version of a document, which has its name, replaces the old one in searches; the old one stays until somebody deletes it.
ALTER TABLE "knowledge_documents" ADD COLUMN "replaced_at" TIMESTAMPTZ(3);
CREATE INDEX "knowledge_documents_knowledge_base_id_name_idx" ON "knowledge_documents"("knowledge_base_id", "name");
