INSERT INTO "third_party_policy" ("category", "decision") VALUES
  ('analytics', 'consent'), ('advertising', 'consent'), ('social', 'consent'), ('session_replay', 'consent'),
  ('embedded_media', 'consent'), ('marketing', 'review'), ('chat', 'review'), ('maps', 'review'), ('fonts', 'review'),
  ('captcha', 'review'), ('other', 'review'), ('utility', 'none'), ('consent_tool', 'none'), ('tag_manager', 'none'),
  ('cdn', 'none'), ('hosting', 'none'), ('unknown', 'review');
--> statement-breakpoint
CREATE TRIGGER "third_party_policy_notify" AFTER UPDATE ON "third_party_policy"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('third_parties');
--> statement-breakpoint
CREATE TRIGGER "third_party_classifications_notify" AFTER INSERT OR UPDATE OR DELETE ON "third_party_classifications"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('third_parties');
--> statement-breakpoint
INSERT INTO "permissions" ("name") VALUES ('edit tracking policy');
--> statement-breakpoint
INSERT INTO "role_permissions" ("role_id", "permission")
  SELECT "role_id", 'edit tracking policy' FROM "role_permissions" WHERE "permission" = 'view admin panel';
