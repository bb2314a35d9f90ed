-- allow ban-drop-not-null: programs of the last release read inspections joined with their webs, or one that they requested
ALTER TABLE "inspections" ALTER COLUMN "web_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "inspections" ADD COLUMN "node_id" integer;--> statement-breakpoint
ALTER TABLE "inspections" ADD COLUMN "connection" json;--> statement-breakpoint
ALTER TABLE "inspections" DROP CONSTRAINT "inspections_kind";--> statement-breakpoint
ALTER TABLE "inspections" ADD CONSTRAINT "inspections_kind" CHECK ("inspections"."kind" in ('refresh', 'tracking', 'connection', 'discovery')) NOT VALID;--> statement-breakpoint
ALTER TABLE "inspections" ADD CONSTRAINT "inspections_subject" CHECK (num_nonnulls("inspections"."web_id", "inspections"."node_id") = 1) NOT VALID;
