ALTER TABLE "discovered_webs" ADD COLUMN "databases_read" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "discovered_webs" ADD COLUMN "framework_name" text;--> statement-breakpoint
ALTER TABLE "discovered_webs" ADD COLUMN "framework_version" text;--> statement-breakpoint
ALTER TABLE "discovered_webs" ADD COLUMN "baseline_php_version" text;--> statement-breakpoint
ALTER TABLE "discovered_webs" ADD COLUMN "baseline_databases" json;