-- Webs that share a system user of a node lose it, since a command for one of them would reach the files and the database of
-- the other. Plesk says at the next refresh whose it is. The log keeps what each of them had.
WITH "shared" AS (
  SELECT "id", "sysuser" FROM "webs" WHERE "deleted_at" IS NULL AND ("node_id", "sysuser") IN (
    SELECT "node_id", "sysuser" FROM "webs" WHERE "deleted_at" IS NULL GROUP BY 1, 2 HAVING count(*) > 1
  )
), "logged" AS (
  INSERT INTO "log_entries" ("created_at", "log_name", "description", "subject_type", "subject_id", "properties")
  SELECT now(), 'webs', 'updated', 'web', "id", json_build_object(
    'old', json_build_object('sysuser', "sysuser"), 'attributes', json_build_object('sysuser', null)
  ) FROM "shared" ORDER BY "id"
)
UPDATE "webs" SET "sysuser" = NULL FROM "shared" WHERE "webs"."id" = "shared"."id";
--> statement-breakpoint
CREATE UNIQUE INDEX "webs_active_sysuser" ON "webs" USING btree ("node_id","sysuser") WHERE "webs"."deleted_at" is null;