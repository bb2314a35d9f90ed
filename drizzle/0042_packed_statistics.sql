-- A day's partition is filled apart, by packages/domain/src/monitoring/pack.ts, and then takes the place of the day's partition
-- of statistics.
CREATE TABLE "packed_statistics" (
	"web_id" integer NOT NULL,
	"hour_at" timestamp (3) with time zone NOT NULL,
	"status" smallint,
	"outcome" text NOT NULL,
	"reason" text,
	"reason_code" text,
	"reason_params" jsonb,
	"delay_high" integer NOT NULL,
	"response_high" integer,
	"rounds" smallint[] NOT NULL,
	"delays" smallint[] NOT NULL,
	"responses" smallint[] NOT NULL
) PARTITION BY RANGE ("hour_at");
--> statement-breakpoint
CREATE INDEX "packed_statistics_by_web" ON "packed_statistics" USING btree ("web_id","hour_at");--> statement-breakpoint
CREATE INDEX "packed_statistics_by_time" ON "packed_statistics" USING brin ("hour_at") WITH (pages_per_range = 16, autosummarize = on);
--> statement-breakpoint
-- The probes of the rounds from a time (inclusive) to another (exclusive), packed or not. A third time saves work: packed hours
-- are left out if all their probes began before it. Postgres puts the function into the query that calls it, so that conditions on
-- the web and on other columns use the indexes and partitions of both tables. That needs one without SECURITY DEFINER and without
-- settings. It names statistics first: whoever waits there while a day is replaced sees the packed one afterwards.
CREATE FUNCTION "statistics_between"(since timestamptz, before timestamptz, begun timestamptz DEFAULT '-infinity')
RETURNS TABLE (
  web_id integer, round_at timestamptz, created_at timestamptz, status smallint, response_ms integer, outcome text, reason text,
  reason_code text, reason_params jsonb
) LANGUAGE sql STABLE AS $$
  SELECT s.web_id, s.round_at, s.created_at, s.status, s.response_ms, s.outcome, s.reason, s.reason_code, s.reason_params
  FROM public.statistics s
  WHERE s.round_at >= since AND s.round_at < before
  UNION ALL
  SELECT p.web_id, probe.round_at, probe.created_at, p.status, p.response_high * 32768 + probe.response, p.outcome, p.reason,
    p.reason_code, p.reason_params
  FROM public.packed_statistics p, LATERAL (
    SELECT p.hour_at + seconds * interval '1 s' AS round_at, response,
      p.hour_at + (seconds * 1000 + p.delay_high * 32768 + delay) * interval '1 ms' AS created_at
    FROM unnest(p.rounds, p.delays, p.responses) AS packed (seconds, delay, response)
  ) probe
  WHERE p.hour_at > since - interval '1 hour' AND p.hour_at < before
    AND p.hour_at + interval '1 hour' + (p.delay_high + 1) * interval '32768 ms' > begun
    AND probe.round_at >= since AND probe.round_at < before
$$;
--> statement-breakpoint
CREATE FUNCTION "create_packed_statistics"(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  EXECUTE format(
    'CREATE TABLE IF NOT EXISTS public.%I (LIKE public.packed_statistics INCLUDING ALL)',
    'packed_statistics_' || to_char(day, 'YYYY_MM_DD')
  );
END $$;
--> statement-breakpoint
CREATE FUNCTION "replace_statistics_partition"(day date, starts timestamptz, ends timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  suffix text := to_char(day, 'YYYY_MM_DD');
BEGIN
  EXECUTE format(
    'ALTER TABLE public.packed_statistics ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    'packed_statistics_' || suffix, starts, ends
  );
  EXECUTE format('DROP TABLE public.%I', 'statistics_' || suffix);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "drop_statistics_partition"(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  suffix text := to_char(day, 'YYYY_MM_DD');
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS public.%I, public.%I', 'statistics_' || suffix, 'packed_statistics_' || suffix);
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "create_packed_statistics", "replace_statistics_partition" FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "create_packed_statistics", "replace_statistics_partition" TO "kustos_application";
