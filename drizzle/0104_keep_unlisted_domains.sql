-- allow ban-drop-not-null: programs of the release before select domains by this column and never read null, which means not due
ALTER TABLE "watched_domains" ALTER COLUMN "dns_due_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "watched_domains" ADD COLUMN "unlisted_since" timestamp (3) with time zone;