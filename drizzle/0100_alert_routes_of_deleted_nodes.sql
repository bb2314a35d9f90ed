-- Nodes that alert routes name cannot be deleted any more. A route of deleted nodes only matched nothing, so it must not match everything.
-- allow changing-rows: alert_routes has at most 200 rows
UPDATE "alert_routes" r
SET "node_ids" = kept."ids", "is_active" = r."is_active" AND cardinality(kept."ids") > 0, "updated_at" = now()
FROM (
  SELECT a."id", array(
    SELECT n."id" FROM unnest(a."node_ids") WITH ORDINALITY AS named ("id", "place") JOIN "nodes" n ON n."id" = named."id"
    ORDER BY named."place"
  ) AS "ids"
  FROM "alert_routes" a
) kept
WHERE kept."id" = r."id" AND cardinality(kept."ids") < cardinality(r."node_ids");
