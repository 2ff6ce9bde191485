-- How many deployments a workflow has: the `total` of their list, which counted them on each page.
ALTER TABLE "workflows" ADD COLUMN "deployment_total" INTEGER NOT NULL DEFAULT 0;

-- A trigger, because a process of the release before deploys as well.
CREATE FUNCTION "deployments_are_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    UPDATE workflows w SET deployment_total = w.deployment_total + sign * c.deployments
    FROM (SELECT workflow_id, count(*)::integer AS deployments FROM changed GROUP BY 1) AS c
    WHERE w.id = c.workflow_id;
    RETURN NULL;
END $$;
CREATE TRIGGER "deployments_are_counted_in" AFTER INSERT ON "deployments"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "deployments_are_counted"();
CREATE TRIGGER "deployments_are_counted_out" AFTER DELETE ON "deployments"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "deployments_are_counted"();

-- Writers of deployments wait for this transaction, so none is missed.
UPDATE "workflows" w SET "deployment_total" = c.deployments
FROM (SELECT workflow_id, count(*)::integer AS deployments FROM "deployments" GROUP BY 1) AS c WHERE w.id = c.workflow_id;
