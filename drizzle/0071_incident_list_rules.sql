LOCK TABLE "nodes", "incidents" IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE set null ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_outage_id_incidents_id_fk" FOREIGN KEY ("outage_id") REFERENCES "public"."incidents"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
CREATE TRIGGER "incident_comments_tell" AFTER INSERT ON "incident_comments"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('incidents');
--> statement-breakpoint
CREATE TRIGGER "incident_reports_tell" AFTER INSERT OR UPDATE ON "incident_reports"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('incidents');
--> statement-breakpoint
-- A handled incident also reads differently in the list.
CREATE TRIGGER "attention_handling_notify_incidents" AFTER INSERT OR UPDATE ON "attention_handling"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('incidents');
