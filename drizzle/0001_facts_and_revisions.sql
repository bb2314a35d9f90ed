-- The permission names of the specification, section 6; packages/contract/src/permissions.ts names the same.
INSERT INTO "permissions" ("name") VALUES
  ('view webs'), ('create webs'), ('edit webs'), ('delete webs'), ('restore webs'), ('view bitbucket'),
  ('view external domains'), ('create external domains'), ('edit external domains'), ('delete external domains'),
  ('view limitis domains'), ('view limitis email'), ('view monitoring web statistic'), ('view queue'), ('view logs'),
  ('view admin panel');
--> statement-breakpoint
-- The role that passes every check needs no permissions of its own.
INSERT INTO "roles" ("name") VALUES ('admin');
--> statement-breakpoint
-- It starts at the time, so that the ETags of a database made anew are never those of its predecessor.
INSERT INTO "revisions" ("list", "revision") VALUES ('webs', (extract(epoch FROM now()) * 1000)::bigint);
--> statement-breakpoint
CREATE FUNCTION "move_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE revisions SET revision = revision + 1 WHERE list = TG_ARGV[0];
  RETURN NULL;
END $$;
--> statement-breakpoint
-- After the statement: every writer locks its rows first and the revision last, so that none waits for another in a ring.
CREATE TRIGGER "webs_move_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "webs"
  FOR EACH STATEMENT EXECUTE FUNCTION move_revision('webs');
--> statement-breakpoint
CREATE TRIGGER "web_categories_move_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "web_categories"
  FOR EACH STATEMENT EXECUTE FUNCTION move_revision('webs');
--> statement-breakpoint
CREATE TRIGGER "categories_move_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "categories"
  FOR EACH STATEMENT EXECUTE FUNCTION move_revision('webs');
--> statement-breakpoint
CREATE TRIGGER "nodes_move_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "nodes"
  FOR EACH STATEMENT EXECUTE FUNCTION move_revision('webs');
