CREATE TABLE "alerts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"recipient" text,
	"content" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	CONSTRAINT "alerts_channel" CHECK ("alerts"."channel" in ('slack', 'mail', 'telegram'))
);
--> statement-breakpoint
CREATE TABLE "certificate_warnings" (
	"web_id" integer NOT NULL,
	"cert_expiration" timestamp (3) with time zone NOT NULL,
	"days" integer NOT NULL,
	"warned_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "certificate_warnings_web_id_cert_expiration_days_pk" PRIMARY KEY("web_id","cert_expiration","days")
);
--> statement-breakpoint
CREATE TABLE "incident_gaps" (
	"incident_id" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "incident_gaps_incident_id_started_at_pk" PRIMARY KEY("incident_id","started_at")
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"web_id" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"last_failed_at" timestamp (3) with time zone NOT NULL,
	"status" smallint,
	"reason" text NOT NULL,
	"alerted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "probe_rounds" (
	"round_at" timestamp (3) with time zone PRIMARY KEY NOT NULL,
	"interval_seconds" integer NOT NULL,
	"shards" integer NOT NULL,
	"judged_at" timestamp (3) with time zone,
	"state" text,
	"probes" integer,
	"failures" integer,
	CONSTRAINT "probe_rounds_state" CHECK ("probe_rounds"."state" in ('known', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "probe_shards" (
	"round_at" timestamp (3) with time zone NOT NULL,
	"shard" integer NOT NULL,
	"webs" integer NOT NULL,
	CONSTRAINT "probe_shards_round_at_shard_pk" PRIMARY KEY("round_at","shard")
);
--> statement-breakpoint
CREATE TABLE "rolled_up_days" (
	"day" date PRIMARY KEY NOT NULL,
	"rolled_up_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- Its partitions are made and dropped by packages/domain/src/monitoring/partitions.ts.
CREATE TABLE "statistics" (
	"web_id" integer NOT NULL,
	"round_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"status" smallint,
	"response_ms" integer,
	"outcome" text NOT NULL,
	"reason" text,
	CONSTRAINT "statistics_web_id_round_at_pk" PRIMARY KEY("web_id","round_at"),
	CONSTRAINT "statistics_outcome" CHECK ("statistics"."outcome" in ('up', 'down', 'unconfirmed', 'blip', 'unknown'))
) PARTITION BY RANGE ("round_at");
--> statement-breakpoint
CREATE TABLE "uptime_days" (
	"web_id" integer NOT NULL,
	"day" date NOT NULL,
	"downtime" integer NOT NULL,
	"known" integer NOT NULL,
	"checks" integer NOT NULL,
	"failures" integer NOT NULL,
	"response_ms" integer,
	"response_p95_ms" integer,
	CONSTRAINT "uptime_days_web_id_day_pk" PRIMARY KEY("web_id","day")
);
--> statement-breakpoint
ALTER TABLE "webs" ADD COLUMN "down_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "certificate_warnings" ADD CONSTRAINT "certificate_warnings_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_gaps" ADD CONSTRAINT "incident_gaps_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "probe_shards" ADD CONSTRAINT "probe_shards_round_at_probe_rounds_round_at_fk" FOREIGN KEY ("round_at") REFERENCES "public"."probe_rounds"("round_at") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_days" ADD CONSTRAINT "uptime_days_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_to_send" ON "alerts" USING btree ("id") WHERE sent_at is null and failed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_one_open" ON "incidents" USING btree ("web_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "incidents_by_web" ON "incidents" USING btree ("web_id","started_at");--> statement-breakpoint
CREATE INDEX "probe_rounds_to_judge" ON "probe_rounds" USING btree ("round_at") WHERE judged_at is null;--> statement-breakpoint
CREATE INDEX "statistics_by_time" ON "statistics" USING brin ("created_at") WITH (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
CREATE TRIGGER "webs_tell_monitoring" AFTER INSERT OR UPDATE OR DELETE ON "webs"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('monitored_webs');
--> statement-breakpoint
CREATE TRIGGER "probe_shards_tell" AFTER INSERT ON "probe_shards"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('probes');
--> statement-breakpoint
CREATE TRIGGER "probe_rounds_tell" AFTER UPDATE OF "judged_at" ON "probe_rounds"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('probe_rounds');
--> statement-breakpoint
-- Each round moves last_failed_at of what goes on, which the round tells of already.
CREATE TRIGGER "incidents_tell" AFTER INSERT OR UPDATE OF "ended_at" ON "incidents"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('incidents');
