CREATE INDEX CONCURRENTLY IF NOT EXISTS "alerts_by_incident" ON "alerts" USING gin ("incidents");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_by_outage" ON "incidents" USING btree ("outage_id") WHERE outage_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_open" ON "incidents" USING btree ("started_at") WHERE ended_at is null and outage_id is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_ended" ON "incidents" USING btree ("ended_at","id") WHERE ended_at is not null and outage_id is null;
