-- The namespace of Temporal in which the executions of this database's runs are. Another one knows none of them, so it must not be
-- asked whether they still exist.
CREATE TABLE "temporal_namespace" (
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "name" TEXT NOT NULL,
    "namespace_id" TEXT NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "temporal_namespace_pkey" PRIMARY KEY ("is_only"),
    CONSTRAINT "temporal_namespace_is_only_check" CHECK ("is_only")
);
