-- The primary key that the next migration needs: a unique key of a partitioned table contains what it is partitioned by.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "log_entries_initial_pkey" ON "log_entries" ("id","created_at");
