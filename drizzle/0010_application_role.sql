-- What the application works as may read and write rows, and owns nothing. The role itself is the cluster's: whoever
-- migrates makes it beforehand (packages/database/src/application-role.ts). What later migrations make it may use too.
GRANT USAGE ON SCHEMA "public" TO "kustos_application";--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "public" TO "kustos_application";--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA "public" TO "kustos_application";--> statement-breakpoint
ALTER DEFAULT PRIVILEGES IN SCHEMA "public" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "kustos_application";--> statement-breakpoint
ALTER DEFAULT PRIVILEGES IN SCHEMA "public" GRANT USAGE ON SEQUENCES TO "kustos_application";--> statement-breakpoint
-- The log only grows. Its ids come from the table itself, without a right to the sequence.
REVOKE ALL ON "log_entries" FROM "kustos_application";--> statement-breakpoint
GRANT SELECT, INSERT ON "log_entries" TO "kustos_application";--> statement-breakpoint
REVOKE ALL ON SEQUENCE "log_entries_id_seq" FROM "kustos_application";--> statement-breakpoint
-- A day's partition comes and goes while the application runs, which needs the table's owner. It is made apart and then
-- attached, which those who read and write other days do not wait for.
CREATE FUNCTION "make_statistics_partition"(day date, starts timestamptz, ends timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  name text := 'statistics_' || to_char(day, 'YYYY_MM_DD');
BEGIN
  EXECUTE format('CREATE TABLE public.%I (LIKE public.statistics INCLUDING ALL)', name);
  EXECUTE format('ALTER TABLE public.statistics ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', name, starts, ends);
END $$;
--> statement-breakpoint
CREATE FUNCTION "drop_statistics_partition"(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  EXECUTE format('DROP TABLE public.%I', 'statistics_' || to_char(day, 'YYYY_MM_DD'));
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "make_statistics_partition", "drop_statistics_partition" FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "make_statistics_partition", "drop_statistics_partition" TO "kustos_application";
