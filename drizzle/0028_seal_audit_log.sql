CREATE TABLE "log_seals" (
	"number" bigint PRIMARY KEY NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	"previous_hash" text NOT NULL,
	"entries" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
-- Seals are appended and never changed, as the entries are.
REVOKE ALL ON "log_seals" FROM "kustos_application";--> statement-breakpoint
GRANT SELECT, INSERT ON "log_seals" TO "kustos_application";--> statement-breakpoint
CREATE TRIGGER "log_seals_only_grow" BEFORE UPDATE OR DELETE OR TRUNCATE ON "log_seals"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
