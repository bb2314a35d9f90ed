ALTER TABLE "nodes" ADD COLUMN "plesk_port" integer;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "plesk_certificate" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "plesk_key" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "ssh_host" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "ssh_port" integer;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "ssh_user" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "host_key" text;--> statement-breakpoint
INSERT INTO "permissions" ("name") VALUES ('manage nodes');--> statement-breakpoint
CREATE TRIGGER "nodes_tell" AFTER INSERT OR UPDATE OR DELETE ON "nodes"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('nodes');
