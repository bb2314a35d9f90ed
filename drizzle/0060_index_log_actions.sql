CREATE INDEX CONCURRENTLY IF NOT EXISTS "log_entries_by_action" ON "log_entries" USING btree ("description","created_at","id");
