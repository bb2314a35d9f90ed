CREATE INDEX CONCURRENTLY IF NOT EXISTS "deployments_by_node" ON "deployments" USING btree ("node_id","id");
