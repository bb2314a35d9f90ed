ALTER TABLE "tracking_differences" ADD COLUMN "replaces_channels" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tracking_differences" ADD COLUMN "channel_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "tracking_differences" ADD COLUMN "user_ids" integer[] DEFAULT '{}' NOT NULL;