ALTER TABLE "channel_incidents" ADD COLUMN "kind" text DEFAULT 'down' NOT NULL;--> statement-breakpoint
ALTER TABLE "channel_incidents" ADD COLUMN "key" text;