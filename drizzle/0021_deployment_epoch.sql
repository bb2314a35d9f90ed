ALTER TABLE "deployments" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Runs of commands were named after attempts until now, and must not be taken for those of a later claim.
UPDATE "deployments" SET "epoch" = "attempts";
