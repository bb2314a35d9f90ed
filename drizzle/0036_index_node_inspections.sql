CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "inspections_one_of_a_node" ON "inspections" USING btree ("node_id","kind") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "inspections_by_node" ON "inspections" USING btree ("node_id","id");
