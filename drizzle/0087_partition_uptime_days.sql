-- Uptime days get a partition for each year. The table as it was becomes the first one, without copying or reading its rows.
-- Attaching it drops triggers of its foreign key, for which nobody may read webs; programs lock webs before it.
LOCK TABLE "webs" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "uptime_days" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
-- allow renaming-table, replaced below: the partitioned table has its name
ALTER TABLE "uptime_days" RENAME TO "uptime_days_initial";--> statement-breakpoint
-- allow renaming-constraint, replaced below: the key of the partitioned table has its name
ALTER TABLE "uptime_days_initial" RENAME CONSTRAINT "uptime_days_web_id_day_pk" TO "uptime_days_initial_pkey";--> statement-breakpoint
-- With the names of constraints that the first partition has, as later ones get them from the table.
CREATE TABLE "uptime_days" (
	"web_id" integer CONSTRAINT "uptime_days_web_id_not_null" NOT NULL,
	"day" date CONSTRAINT "uptime_days_day_not_null" NOT NULL,
	"downtime" integer CONSTRAINT "uptime_days_downtime_not_null" NOT NULL,
	"known" integer CONSTRAINT "uptime_days_known_not_null" NOT NULL,
	"checks" integer CONSTRAINT "uptime_days_checks_not_null" NOT NULL,
	"failures" integer CONSTRAINT "uptime_days_failures_not_null" NOT NULL,
	"response_ms" integer,
	"response_p95_ms" integer,
	"planned" integer DEFAULT 0 CONSTRAINT "uptime_days_planned_not_null" NOT NULL,
	"degraded" integer DEFAULT 0 CONSTRAINT "uptime_days_degraded_not_null" NOT NULL,
	CONSTRAINT "uptime_days_web_id_day_pk" PRIMARY KEY("web_id","day")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
ALTER TABLE "uptime_days" ADD CONSTRAINT "uptime_days_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
DO $$
DECLARE
  bounds text[];
BEGIN
  SELECT array_agg(literal[1]) INTO bounds
    FROM pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([^'']+)''::date', 'g') AS literal
    WHERE conrelid = 'uptime_days_initial'::regclass AND conname = 'uptime_days_bounds';
  EXECUTE format('ALTER TABLE uptime_days ATTACH PARTITION uptime_days_initial FOR VALUES FROM (%L) TO (%L)', bounds[1], bounds[2]);
  ALTER TABLE uptime_days_initial DROP CONSTRAINT uptime_days_bounds;
END $$;
--> statement-breakpoint
-- Creates the partition of the year of this day if there is none. It is made apart and then attached, which those who read and
-- write other years do not wait for.
CREATE FUNCTION "make_uptime_days_partition"("given" date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET datestyle = 'ISO' AS $$
DECLARE
  starts date := date_trunc('year', given);
  name text := 'uptime_days_' || to_char(given, 'YYYY');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('kustos.uptime-days-partitions'));
  IF EXISTS (
    SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid, pg_get_expr(relpartbound, inhrelid) AS bounds
    WHERE inhparent = 'public.uptime_days'::regclass
      AND substring(bounds FROM $re$FROM \('([^']+)'\)$re$)::date <= given
      AND substring(bounds FROM $re$TO \('([^']+)'\)$re$)::date > given
  ) THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.uptime_days INCLUDING ALL)', name);
  EXECUTE format('ALTER TABLE public.uptime_days ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    name, starts, (starts + interval '1 year')::date);
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "make_uptime_days_partition" FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "make_uptime_days_partition" TO "kustos_application";--> statement-breakpoint
SELECT make_uptime_days_partition((current_date + interval '1 year')::date);
