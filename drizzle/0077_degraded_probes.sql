-- Allows one more outcome. Partitions are dropped after some days, so that the rows of before need no check. The column has no table before
-- it, because Postgres reads the condition again for each partition.
ALTER TABLE "statistics" DROP CONSTRAINT "statistics_outcome";--> statement-breakpoint
ALTER TABLE "statistics" ADD CONSTRAINT "statistics_outcome" CHECK ("outcome" in ('up', 'degraded', 'down', 'unconfirmed', 'blip', 'unknown')) NOT VALID;
