CREATE INDEX CONCURRENTLY IF NOT EXISTS "deployments_by_requester" ON "deployments" USING btree ("requested_by","ended_at");
