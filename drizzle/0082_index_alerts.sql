CREATE INDEX CONCURRENTLY IF NOT EXISTS "alerts_by_summary" ON "alerts" USING btree ("summary_id") WHERE summary_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "alerts_of_stream" ON "alerts" USING btree ("channel","channel_id","recipient","id") WHERE sent_at is null and failed_at is null;
