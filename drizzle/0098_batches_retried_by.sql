ALTER TABLE "batches" ADD COLUMN "retried_by" integer;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_retried_by_users_id_fk" FOREIGN KEY ("retried_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;
