-- GET starts a run only where the webhook says so: link previews send it. A webhook with a verification keeps it, which a preview does not pass,
-- and so does one whose log has requests by GET alone, or by GET with a query.
ALTER TABLE "hooks" ADD COLUMN "methods" TEXT[] NOT NULL DEFAULT ARRAY['POST', 'PUT'];

UPDATE "hooks" AS h SET "methods" = ARRAY['POST', 'PUT', 'GET']
WHERE h."verification" <> 'none'
  OR EXISTS (
    SELECT 1 FROM "hook_deliveries" d
    WHERE d."hook_id" = h."id" AND d."request" ->> 'method' = 'GET' AND d."request" #>> '{query}' <> '{}'
  )
  OR (
    EXISTS (SELECT 1 FROM "hook_deliveries" d WHERE d."hook_id" = h."id" AND d."request" ->> 'method' = 'GET')
    AND NOT EXISTS (SELECT 1 FROM "hook_deliveries" d WHERE d."hook_id" = h."id" AND d."request" ->> 'method' <> 'GET')
  );
