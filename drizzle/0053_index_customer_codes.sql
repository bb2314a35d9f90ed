CREATE INDEX CONCURRENTLY IF NOT EXISTS "emails_by_customer" ON "emails" USING btree ("customer");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "external_domains_by_customer" ON "external_domains" USING btree ("customer");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "own_domains_by_customer" ON "own_domains" USING btree ("customer");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webs_by_customer" ON "webs" USING btree ("customer");