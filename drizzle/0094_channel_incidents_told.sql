ALTER TABLE "channel_incidents" ADD COLUMN "kind" text DEFAULT 'down' NOT NULL;--> statement-breakpoint
ALTER TABLE "channel_incidents" ADD COLUMN "key" text;--> statement-breakpoint
-- allow changing-rows: only open incidents that PagerDuty was told of have rows
UPDATE "channel_incidents" c SET "kind" = i."kind" FROM "incidents" i WHERE i."id" = c."incident_id" AND i."kind" <> 'down';
