CREATE TABLE "report_pdfs" (
	"document" text PRIMARY KEY NOT NULL,
	"html" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"pdf" "bytea",
	"ended_at" timestamp (3) with time zone,
	"error" text,
	"error_code" text,
	"error_params" jsonb,
	CONSTRAINT "report_pdfs_end" CHECK (("report_pdfs"."ended_at" is null) or num_nonnulls("report_pdfs"."pdf", "report_pdfs"."error") = 1)
);
--> statement-breakpoint
CREATE TABLE "tracking_images" (
	"sha256" text NOT NULL,
	"month" timestamp (3) with time zone NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "tracking_images_sha256_month_pk" PRIMARY KEY("sha256","month")
) PARTITION BY RANGE ("month");
--> statement-breakpoint
CREATE TABLE "tracking_records" (
	"web_id" integer NOT NULL,
	"number" integer NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"inspection_id" integer,
	"confirms" integer,
	"fingerprint" text NOT NULL,
	"content" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "tracking_records_web_id_number_recorded_at_pk" PRIMARY KEY("web_id","number","recorded_at")
) PARTITION BY RANGE ("recorded_at");
--> statement-breakpoint
ALTER TABLE "tracking_audits" ADD COLUMN "inspection_id" integer;--> statement-breakpoint
ALTER TABLE "log_settings" ADD COLUMN "record_retention_months" integer;--> statement-breakpoint
CREATE INDEX "tracking_records_by_inspection" ON "tracking_records" USING btree ("inspection_id");--> statement-breakpoint
-- Images are compressed already.
ALTER TABLE "tracking_images" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
-- The application appends and reads, through the tables and not their partitions.
REVOKE ALL ON "tracking_records", "tracking_images" FROM "kustos_application";--> statement-breakpoint
GRANT SELECT, INSERT ON "tracking_records", "tracking_images" TO "kustos_application";--> statement-breakpoint
CREATE FUNCTION "refuse_record_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Records of audits only grow: % of % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER "tracking_records_only_grow" BEFORE UPDATE OR DELETE OR TRUNCATE ON "tracking_records"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_record_change();
--> statement-breakpoint
CREATE TRIGGER "tracking_images_only_grow" BEFORE UPDATE OR DELETE OR TRUNCATE ON "tracking_images"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_record_change();
--> statement-breakpoint
-- For the owner: creates what nobody may change, also when a backup is restored.
CREATE FUNCTION "create_record_table"("name" text, "parent" text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL)', name, parent);
  EXECUTE format('REVOKE ALL ON public.%I FROM kustos_application', name);
  EXECUTE format('CREATE TRIGGER records_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON public.%I '
    'FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_record_change()', name);
END $$;
--> statement-breakpoint
-- Creates the partitions of the month of this time at UTC where they are missing. They are made apart and then attached, which
-- those who read and write do not wait for.
CREATE FUNCTION "make_record_partitions"("at" timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  month timestamptz := date_trunc('month', at);
  suffix text := to_char(month, '_YYYY_MM');
  parent text;
BEGIN
  IF to_regclass('public.tracking_images' || suffix) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('kustos.record-partitions'));
  -- By a query: names are looked up in a cache that the lock does not refresh.
  IF EXISTS (SELECT FROM pg_class WHERE relname = 'tracking_images' || suffix AND relnamespace = 'public'::regnamespace)
    THEN RETURN; END IF;
  FOREACH parent IN ARRAY ARRAY['tracking_records', 'tracking_images'] LOOP
    PERFORM create_record_table(parent || suffix, parent);
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
      parent, parent || suffix, month, month + interval '1 month');
  END LOOP;
END $$;
--> statement-breakpoint
-- Drops the months that are older than the retention, which the owner of the tables has stored.
CREATE FUNCTION "drop_old_records"() RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  old text;
BEGIN
  FOR old IN
    SELECT c.relname::text FROM log_settings s, pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent IN ('public.tracking_records'::regclass, 'public.tracking_images'::regclass)
      AND to_timestamp(right(c.relname, 7), 'YYYY_MM') + interval '1 month'
        <= now() - make_interval(months => s.record_retention_months)
    -- In the order in which audits lock the tables.
    ORDER BY c.relname DESC
  LOOP
    EXECUTE format('DROP TABLE public.%I', old);
    RETURN NEXT old;
  END LOOP;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "create_record_table", "make_record_partitions", "drop_old_records" FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "make_record_partitions", "drop_old_records" TO "kustos_application";
