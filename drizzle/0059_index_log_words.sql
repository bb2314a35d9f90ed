CREATE INDEX CONCURRENTLY IF NOT EXISTS "log_entries_by_words" ON "log_entries" USING gin (log_words("log_name", "description", "properties", "request_id")) WITH (fastupdate=false);
