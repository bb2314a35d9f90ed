CREATE INDEX CONCURRENTLY IF NOT EXISTS "inspections_by_end" ON "inspections" USING btree ("ended_at");
