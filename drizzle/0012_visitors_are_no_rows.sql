-- A visitor's session is its cookie alone from here on; those that releases before kept are asked for anew.
DELETE FROM "sessions" WHERE "user_id" IS NULL;--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "user_id" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "sign_in_attempts_by_address" ON "sign_in_attempts" USING btree ("address","attempted_at");