CREATE TRIGGER "tags_tell" AFTER INSERT OR UPDATE OR DELETE ON "tags"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('tags');--> statement-breakpoint
INSERT INTO "permissions" ("name") VALUES ('edit tags');--> statement-breakpoint
INSERT INTO "role_permissions" ("role_id", "permission")
  SELECT "role_id", 'edit tags' FROM "role_permissions" WHERE "permission" = 'edit webs';
