ALTER TABLE "incidents" ADD COLUMN "kind" text DEFAULT 'down' NOT NULL;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "reminded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "calm_since" timestamp (3) with time zone;