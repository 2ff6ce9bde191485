-- Knowledge bases: documents, cut into chunks, each with its vector.

-- Vectors are those of pgvector. Where the server does not have it (the embedded one), a stand-in of the same name and
-- operator takes its place: slower, without indexes, and the statements of the service are the same on both.
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector') THEN
        CREATE EXTENSION IF NOT EXISTS vector;
    ELSE
        CREATE DOMAIN vector AS real[];
        -- NaN for a vector without a direction, as pgvector has it.
        CREATE FUNCTION vector_cosine_distance(a real[], b real[]) RETURNS double precision
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS
        'SELECT CASE WHEN sum(x * x) = 0 OR sum(y * y) = 0 THEN ''NaN''::float8
                     ELSE 1 - sum(x * y) / sqrt(sum(x * x) * sum(y * y)) END
         FROM unnest(a::float8[], b::float8[]) AS pairs(x, y)';
        CREATE OPERATOR <=> (LEFTARG = real[], RIGHTARG = real[], FUNCTION = vector_cosine_distance, COMMUTATOR = <=>);
    END IF;
END $$;

-- `credential_id` null: managed, embedded by the deployment's own model. The counts are kept by triggers. `dimension` is
-- that of its vectors, from the first one on.
CREATE TABLE "knowledge_bases" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "created_by" UUID,
    "credential_id" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "embedding_config" JSON NOT NULL,
    "chunking_config" JSON NOT NULL,
    "dimension" INTEGER,
    "document_count" INTEGER NOT NULL DEFAULT 0,
    "total_chunks" INTEGER NOT NULL DEFAULT 0,
    "total_tokens" BIGINT NOT NULL DEFAULT 0,
    "storage_bytes" BIGINT NOT NULL DEFAULT 0,
    "last_indexed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "knowledge_bases_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "knowledge_bases_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "knowledge_bases_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "knowledge_bases_credential_id_fkey" FOREIGN KEY ("credential_id") REFERENCES "credentials"("id") ON DELETE NO ACTION ON UPDATE CASCADE,
    CONSTRAINT "knowledge_bases_not_negative" CHECK ("document_count" >= 0 AND "total_chunks" >= 0 AND "total_tokens" >= 0 AND "storage_bytes" >= 0)
) WITH (fillfactor = 60);
CREATE INDEX "knowledge_bases_organization_id_created_at_id_idx" ON "knowledge_bases"("organization_id", "created_at" DESC, "id" DESC);
CREATE INDEX "knowledge_bases_credential_id_idx" ON "knowledge_bases"("credential_id") WHERE "credential_id" IS NOT NULL;

-- A document is ingested once per attempt: `ingest_id` is the attempt's subject in billing. `start_due_at` is its place
-- in the queue of what Temporal must hear of; null: it has heard.
CREATE TABLE "knowledge_documents" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "knowledge_base_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "content_hash" TEXT NOT NULL,
    "doc_metadata" JSONB NOT NULL DEFAULT '{}',
    "chunking_config" JSON,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "stage" TEXT,
    "error" JSON,
    "chunks_total" INTEGER,
    "chunk_count" INTEGER NOT NULL DEFAULT 0,
    "token_count" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "ingest_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "start_due_at" TIMESTAMPTZ(3) DEFAULT now(),
    "start_tries" INTEGER NOT NULL DEFAULT 0,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "completed_at" TIMESTAMPTZ(3),
    CONSTRAINT "knowledge_documents_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "knowledge_documents_status_check" CHECK ("status" IN ('pending', 'processing', 'completed', 'failed')),
    CONSTRAINT "knowledge_documents_error_check" CHECK (("status" = 'failed') = ("error" IS NOT NULL)),
    CONSTRAINT "knowledge_documents_knowledge_base_id_fkey" FOREIGN KEY ("knowledge_base_id") REFERENCES "knowledge_bases"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "knowledge_documents_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
) WITH (fillfactor = 60);
-- The same content is the same document.
CREATE UNIQUE INDEX "knowledge_documents_knowledge_base_id_content_hash_key" ON "knowledge_documents"("knowledge_base_id", "content_hash");
CREATE INDEX "knowledge_documents_knowledge_base_id_created_at_id_idx" ON "knowledge_documents"("knowledge_base_id", "created_at" DESC, "id" DESC);
CREATE INDEX "knowledge_documents_start_due_at_idx" ON "knowledge_documents"("start_due_at") WHERE "start_due_at" IS NOT NULL;
CREATE INDEX "knowledge_documents_open_idx" ON "knowledge_documents"("updated_at") WHERE "status" IN ('pending', 'processing');

-- The bytes as they were uploaded: an ingest reads them from here, they never travel through Temporal.
CREATE TABLE "knowledge_contents" (
    "document_id" UUID NOT NULL,
    "content" BYTEA NOT NULL,
    CONSTRAINT "knowledge_contents_pkey" PRIMARY KEY ("document_id"),
    CONSTRAINT "knowledge_contents_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "knowledge_documents"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE "knowledge_contents" ALTER COLUMN "content" SET STORAGE EXTERNAL;

-- Pieces of a document that wait for their vectors; with it a piece becomes a chunk and leaves, in one statement.
CREATE TABLE "knowledge_pieces" (
    "document_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "token_count" INTEGER NOT NULL,
    "chunk_metadata" JSONB NOT NULL,
    CONSTRAINT "knowledge_pieces_pkey" PRIMARY KEY ("document_id", "position"),
    CONSTRAINT "knowledge_pieces_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "knowledge_documents"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What is searched. A chunk is found by its document and position, so none can be there twice. Indexes over vectors are
-- made apart from migrations, per dimension, and only for bases that are large (src/knowledge/vector-index.ts).
CREATE TABLE "knowledge_chunks" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "knowledge_base_id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "token_count" INTEGER NOT NULL,
    "chunk_metadata" JSONB NOT NULL,
    "dimension" INTEGER NOT NULL,
    "embedding" vector NOT NULL,
    CONSTRAINT "knowledge_chunks_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "knowledge_chunks_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "knowledge_documents"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "knowledge_chunks_document_id_position_key" ON "knowledge_chunks"("document_id", "position");
CREATE INDEX "knowledge_chunks_knowledge_base_id_idx" ON "knowledge_chunks"("knowledge_base_id");

-- How often a base was searched, by day (UTC).
CREATE TABLE "knowledge_searches" (
    "knowledge_base_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "searches" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "knowledge_searches_pkey" PRIMARY KEY ("knowledge_base_id", "day"),
    CONSTRAINT "knowledge_searches_knowledge_base_id_fkey" FOREIGN KEY ("knowledge_base_id") REFERENCES "knowledge_bases"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The counts of bases and documents follow the rows, whoever adds or removes them, cascades included.
CREATE FUNCTION "knowledge_chunks_are_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    UPDATE knowledge_documents d
    SET chunk_count = d.chunk_count + sign * c.chunks, token_count = d.token_count + sign * c.tokens, updated_at = now()
    FROM (SELECT document_id, count(*)::integer AS chunks, sum(token_count)::integer AS tokens FROM changed GROUP BY 1) AS c
    WHERE d.id = c.document_id;
    UPDATE knowledge_bases b
    SET total_chunks = b.total_chunks + sign * c.chunks, total_tokens = b.total_tokens + sign * c.tokens
    FROM (SELECT knowledge_base_id, count(*)::integer AS chunks, sum(token_count) AS tokens FROM changed GROUP BY 1) AS c
    WHERE b.id = c.knowledge_base_id;
    RETURN NULL;
END $$;
CREATE TRIGGER "knowledge_chunks_are_counted_in" AFTER INSERT ON "knowledge_chunks"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "knowledge_chunks_are_counted"();
CREATE TRIGGER "knowledge_chunks_are_counted_out" AFTER DELETE ON "knowledge_chunks"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "knowledge_chunks_are_counted"();

CREATE FUNCTION "knowledge_documents_are_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    UPDATE knowledge_bases b
    SET document_count = b.document_count + sign * c.documents, storage_bytes = b.storage_bytes + sign * c.bytes
    FROM (SELECT knowledge_base_id, count(*)::integer AS documents, sum(size_bytes::bigint) AS bytes FROM changed GROUP BY 1) AS c
    WHERE b.id = c.knowledge_base_id;
    RETURN NULL;
END $$;
CREATE TRIGGER "knowledge_documents_are_counted_in" AFTER INSERT ON "knowledge_documents"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "knowledge_documents_are_counted"();
CREATE TRIGGER "knowledge_documents_are_counted_out" AFTER DELETE ON "knowledge_documents"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "knowledge_documents_are_counted"();
