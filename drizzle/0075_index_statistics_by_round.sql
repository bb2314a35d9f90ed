-- The evaluation of a round reads its rows, which follow each other, instead of the whole day.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "statistics_by_round" ON "statistics" USING brin ("round_at") WITH (pages_per_range = 32, autosummarize = on);
