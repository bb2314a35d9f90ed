-- The audit log gets a partition for each month at UTC. The table as it was becomes one partition, without copying its rows.
-- Programs read users first and write their entry last: in the same order, nobody waits for another in a ring. Attaching a table
-- drops triggers of its foreign key, for which nobody may read users.
LOCK TABLE "users" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "log_entries" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
-- allow renaming-table, replaced below: the partitioned table has its name
ALTER TABLE "log_entries" RENAME TO "log_entries_initial";--> statement-breakpoint
ALTER SEQUENCE "log_entries_id_seq" RENAME TO "log_entries_initial_id_seq";--> statement-breakpoint
-- allow renaming-constraint, replaced below: the index of the partitioned table has its name, and none is unique
ALTER INDEX "log_entries_by_time" RENAME TO "log_entries_initial_created_at_id_idx";--> statement-breakpoint
-- allow renaming-constraint, replaced below: the index of the partitioned table has its name, and none is unique
ALTER INDEX "log_entries_by_subject" RENAME TO "log_entries_initial_subject_type_subject_id_created_at_id_idx";--> statement-breakpoint
-- allow renaming-constraint, replaced below: the index of the partitioned table has its name, and none is unique
ALTER INDEX "log_entries_by_subject_type" RENAME TO "log_entries_initial_subject_type_created_at_id_idx";--> statement-breakpoint
-- allow renaming-constraint, replaced below: the index of the partitioned table has its name, and none is unique
ALTER INDEX "log_entries_by_causer" RENAME TO "log_entries_initial_causer_id_created_at_id_idx";--> statement-breakpoint
-- allow renaming-constraint, replaced below: the index of the partitioned table has its name, and none is unique
ALTER INDEX "log_entries_by_log" RENAME TO "log_entries_initial_log_name_created_at_id_idx";--> statement-breakpoint
ALTER TABLE "log_entries_initial" DROP CONSTRAINT "log_entries_pkey";--> statement-breakpoint
ALTER TABLE "log_entries_initial" ADD CONSTRAINT "log_entries_initial_pkey" PRIMARY KEY USING INDEX "log_entries_initial_pkey";--> statement-breakpoint
-- allow dropping-function, replaced below: the partitioned table has the same trigger
DROP TRIGGER "log_entries_tell" ON "log_entries_initial";--> statement-breakpoint
REVOKE ALL ON "log_entries_initial" FROM "kustos_application";--> statement-breakpoint
CREATE TABLE "log_entries" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "log_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamp (3) with time zone NOT NULL,
	"log_name" text NOT NULL,
	"description" text NOT NULL,
	"subject_type" text,
	"subject_id" integer,
	"causer_id" integer,
	"properties" json NOT NULL,
	CONSTRAINT "log_entries_id_created_at_pk" PRIMARY KEY("id","created_at")
) PARTITION BY RANGE ("created_at");
--> statement-breakpoint
SELECT setval('log_entries_id_seq', last_value, is_called) FROM "log_entries_initial_id_seq";--> statement-breakpoint
ALTER TABLE "log_entries_initial" ALTER COLUMN "id" DROP IDENTITY;--> statement-breakpoint
ALTER TABLE "log_entries" ADD CONSTRAINT "log_entries_causer_id_users_id_fk" FOREIGN KEY ("causer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "log_entries_by_time" ON "log_entries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "log_entries_by_subject" ON "log_entries" USING btree ("subject_type","subject_id","created_at","id");--> statement-breakpoint
CREATE INDEX "log_entries_by_subject_type" ON "log_entries" USING btree ("subject_type","created_at","id");--> statement-breakpoint
CREATE INDEX "log_entries_by_causer" ON "log_entries" USING btree ("causer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "log_entries_by_log" ON "log_entries" USING btree ("log_name","created_at","id");--> statement-breakpoint
-- The application appends and reads. It may see the sequence, but not move it.
REVOKE ALL ON "log_entries" FROM "kustos_application";--> statement-breakpoint
GRANT SELECT, INSERT ON "log_entries" TO "kustos_application";--> statement-breakpoint
REVOKE ALL ON SEQUENCE "log_entries_id_seq" FROM "kustos_application";--> statement-breakpoint
GRANT SELECT ON SEQUENCE "log_entries_id_seq" TO "kustos_application";--> statement-breakpoint
CREATE TRIGGER "log_entries_only_grow" BEFORE UPDATE OR DELETE OR TRUNCATE ON "log_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
--> statement-breakpoint
CREATE TRIGGER "log_entries_tell" AFTER INSERT ON "log_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('logs');
--> statement-breakpoint
-- Ids are unique because they come from the sequence: a unique key would be one of each partition only.
CREATE FUNCTION "refuse_chosen_log_id"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Ids of the audit log come from its sequence: % is refused', NEW.id USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER "log_entries_next_id" BEFORE INSERT ON "log_entries"
  FOR EACH ROW WHEN (NEW.id <> currval('log_entries_id_seq')) EXECUTE FUNCTION refuse_chosen_log_id();
--> statement-breakpoint
-- The partitions and their bounds; the default one has none.
CREATE FUNCTION "log_partitions"() RETURNS TABLE ("name" text, "starts" timestamptz, "ends" timestamptz)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT relname::text, substring(bounds FROM $re$FROM \('([^']+)'\)$re$)::timestamptz,
    substring(bounds FROM $re$TO \('([^']+)'\)$re$)::timestamptz
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid, pg_get_expr(relpartbound, inhrelid) AS bounds
  WHERE inhparent = 'public.log_entries'::regclass
$$;
--> statement-breakpoint
-- For the owner: creates what nobody may change, also when a backup is restored.
CREATE FUNCTION "create_log_table"("name" text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  EXECUTE format('CREATE TABLE public.%I (LIKE public.log_entries INCLUDING ALL EXCLUDING IDENTITY)', name);
  EXECUTE format('REVOKE ALL ON public.%I FROM kustos_application', name);
  EXECUTE format('CREATE TRIGGER log_entries_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON public.%I '
    'FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_log_change()', name);
END $$;
--> statement-breakpoint
-- For the owner: moves entries out of a partition, unchanged, into a table that becomes the partition that they belong to.
CREATE FUNCTION "move_log_entries"("source" text, "target" text, "starts" timestamptz, "ends" timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  found boolean;
BEGIN
  EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', source);
  EXECUTE format('SELECT EXISTS (SELECT FROM public.%I WHERE created_at >= $1 AND created_at < $2)', source)
    INTO found USING starts, ends;
  IF NOT found THEN RETURN; END IF;
  EXECUTE format('ALTER TABLE public.%I DISABLE TRIGGER log_entries_only_grow', source);
  EXECUTE format('WITH moved AS (DELETE FROM public.%I WHERE created_at >= $1 AND created_at < $2 RETURNING *) '
    'INSERT INTO public.%I SELECT * FROM moved', source, target) USING starts, ends;
  EXECUTE format('ALTER TABLE public.%I ENABLE TRIGGER log_entries_only_grow', source);
END $$;
--> statement-breakpoint
-- Creates the missing partitions of the month of this time and the next two, and of entries in the default partition: those
-- of wrong clocks, and of months for which nobody has called this in time.
CREATE FUNCTION "make_log_partitions"("at" timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  months timestamptz[];
  month timestamptz;
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('kustos.log-partitions'));
  FOR attempt IN 1..2 LOOP
    -- Read to the end before the default partition is altered. Times that no clock shows stay where they are.
    months := ARRAY(
      SELECT DISTINCT date_trunc('month', given) FROM (
        SELECT date_trunc('month', at) + make_interval(months => n) FROM generate_series(0, 2) n
        UNION SELECT created_at FROM log_entries_default WHERE created_at >= '1970-01-01' AND created_at < '3000-01-01'
      ) AS times (given)
      WHERE NOT EXISTS (SELECT FROM log_partitions() p WHERE p.starts <= given AND p.ends > given)
      ORDER BY 1
    );
    IF months = '{}' THEN RETURN; END IF;
    -- Writers wait, since one that is about to write into the default partition would fail.
    LOCK TABLE ONLY log_entries IN SHARE ROW EXCLUSIVE MODE;
  END LOOP;
  FOREACH month IN ARRAY months LOOP
    name := 'log_entries_' || to_char(month, 'YYYY_MM');
    PERFORM create_log_table(name);
    PERFORM move_log_entries('log_entries_default', name, month, month + interval '1 month');
    EXECUTE format('ALTER TABLE public.log_entries ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
      name, month, month + interval '1 month');
    RETURN NEXT name;
  END LOOP;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "create_log_table", "move_log_entries", "make_log_partitions" FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "make_log_partitions" TO "kustos_application";--> statement-breakpoint
DO $$
DECLARE
  starts timestamptz;
  ends timestamptz := (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
  PERFORM create_log_table('log_entries_default');
  -- What a wrong clock has dated to the months to come.
  PERFORM move_log_entries('log_entries_initial', 'log_entries_default', ends, 'infinity');
  ALTER TABLE log_entries ATTACH PARTITION log_entries_default DEFAULT;
  SELECT date_trunc('month', min(created_at) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' INTO starts FROM log_entries_initial;
  IF starts IS NULL THEN
    DROP TABLE log_entries_initial;
  ELSE
    EXECUTE format('ALTER TABLE log_entries ATTACH PARTITION log_entries_initial FOR VALUES FROM (%L) TO (%L)', starts, ends);
  END IF;
  PERFORM make_log_partitions(now());
END $$;
