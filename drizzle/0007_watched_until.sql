ALTER TABLE "incidents" ADD COLUMN "watched_until" timestamp (3) with time zone;
--> statement-breakpoint
UPDATE "incidents" SET "watched_until" = "last_failed_at" + interval '1 minute';
--> statement-breakpoint
ALTER TABLE "incidents" ALTER COLUMN "watched_until" SET NOT NULL;
