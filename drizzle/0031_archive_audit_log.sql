CREATE TABLE "log_archives" (
	"last_seal" bigint NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"file" text PRIMARY KEY NOT NULL,
	"entries" bigint NOT NULL,
	"entries_hash" text NOT NULL,
	"archived_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "log_settings" (
	"is_only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"retention_months" integer,
	CONSTRAINT "log_settings_only_row" CHECK ("log_settings"."is_only_row"),
	CONSTRAINT "log_settings_retention" CHECK ("log_settings"."retention_months" > 0)
);
--> statement-breakpoint
-- The owner writes both: the application must not shorten the log.
REVOKE ALL ON "log_archives", "log_settings" FROM "kustos_application";--> statement-breakpoint
GRANT SELECT ON "log_archives", "log_settings" TO "kustos_application";--> statement-breakpoint
CREATE TRIGGER "log_archives_only_grow" BEFORE UPDATE OR DELETE OR TRUNCATE ON "log_archives"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
--> statement-breakpoint
-- Drops a month that is older than the retention and whose entries were written to a file, and records the file.
CREATE FUNCTION "drop_archived_log_partition"(
  "partition" text, "file" text, "entries" bigint, "entries_hash" text, "last_seal" bigint
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  month record;
  counted bigint;
BEGIN
  SELECT p.starts, p.ends INTO month FROM log_partitions() p, log_settings s
  WHERE p.name = partition AND p.ends <= now() - make_interval(months => s.retention_months);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The part % of the audit log is to be kept', partition USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- Dropping removes triggers of its foreign key from users. Programs read users first and write their entry last.
  LOCK TABLE users IN ACCESS EXCLUSIVE MODE;
  LOCK TABLE log_entries IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('SELECT count(*) FROM public.%I', partition) INTO counted;
  IF counted <> entries THEN
    RAISE EXCEPTION 'The part % of the audit log has % entries, its archive %', partition, counted, entries
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO log_archives (last_seal, from_at, until_at, file, entries, entries_hash)
  VALUES (last_seal, month.starts, month.ends, file, entries, entries_hash);
  EXECUTE format('DROP TABLE public.%I', partition);
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "drop_archived_log_partition" FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "drop_archived_log_partition" TO "kustos_application";
