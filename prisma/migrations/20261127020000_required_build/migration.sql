-- The oldest build that this database suits, named by a migration which that build has. A migration that removes what an earlier build
-- uses calls require_build; older builds then do not start, and are not ready.
CREATE TABLE "required_build" (
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "migration" TEXT NOT NULL,
    CONSTRAINT "required_build_pkey" PRIMARY KEY ("is_only"),
    CONSTRAINT "required_build_is_only_check" CHECK ("is_only")
);

CREATE FUNCTION "require_build"("with_migration" TEXT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO required_build (migration) VALUES (with_migration)
    -- Names begin with their time.
    ON CONFLICT (is_only) DO UPDATE SET migration = greatest(required_build.migration COLLATE "C", excluded.migration COLLATE "C")
$$;
