ALTER TABLE "alerts" VALIDATE CONSTRAINT "alerts_channel_known";
--> statement-breakpoint
CREATE TRIGGER "alert_channels_notify" AFTER INSERT OR UPDATE OR DELETE ON "alert_channels"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('alert_channels');
--> statement-breakpoint
CREATE TRIGGER "alert_channel_states_notify" AFTER INSERT OR UPDATE ON "alert_channel_states"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('alert_channels');
--> statement-breakpoint
CREATE TRIGGER "alert_channel_states_notify_attention" AFTER INSERT OR UPDATE OF "refusing_since" ON "alert_channel_states"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
INSERT INTO "permissions" ("name") VALUES ('edit alert channels');
--> statement-breakpoint
INSERT INTO "role_permissions" ("role_id", "permission")
  SELECT "role_id", 'edit alert channels' FROM "role_permissions" WHERE "permission" = 'view admin panel';
