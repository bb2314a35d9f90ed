CREATE TABLE "alert_channel_states" (
	"channel_id" integer PRIMARY KEY NOT NULL,
	"last_sent_at" timestamp (3) with time zone,
	"last_failed_at" timestamp (3) with time zone,
	"error" text,
	"refusing_since" timestamp (3) with time zone,
	"refused_recipient" text
);
--> statement-breakpoint
CREATE TABLE "alert_channel_tests" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_channel_tests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"channel_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "alert_channels" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_channels_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"origin" text DEFAULT 'console' NOT NULL,
	"settings" jsonb NOT NULL,
	"secrets" text,
	"default_for" text,
	"fallback" boolean DEFAULT false NOT NULL,
	"missing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_channels_name_unique" UNIQUE("name"),
	CONSTRAINT "alert_channels_kind" CHECK ("alert_channels"."kind" in ('mail', 'slack', 'telegram', 'teams', 'discord', 'pagerduty', 'webhook')),
	CONSTRAINT "alert_channels_origin" CHECK ("alert_channels"."origin" in ('console', 'configuration')),
	CONSTRAINT "alert_channels_default" CHECK ("alert_channels"."default_for" in ('slack', 'mail', 'telegram'))
);
--> statement-breakpoint
CREATE TABLE "channel_incidents" (
	"channel_id" integer NOT NULL,
	"incident_id" integer NOT NULL,
	"state" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "channel_incidents_channel_id_incident_id_pk" PRIMARY KEY("channel_id","incident_id"),
	CONSTRAINT "channel_incidents_state" CHECK ("channel_incidents"."state" in ('triggered', 'acknowledged'))
);
--> statement-breakpoint
ALTER TABLE "alerts" DROP CONSTRAINT "alerts_channel";
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "channel_id" integer;
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "event" json;
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "summary_id" integer;
--> statement-breakpoint
ALTER TABLE "alert_channel_states" ADD CONSTRAINT "alert_channel_states_channel_id_alert_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alert_channels"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "alert_channel_tests" ADD CONSTRAINT "alert_channel_tests_channel_id_alert_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alert_channels"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "channel_incidents" ADD CONSTRAINT "channel_incidents_channel_id_alert_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alert_channels"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "alert_channel_tests_by_channel" ON "alert_channel_tests" USING btree ("channel_id","created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "alert_channels_default_for" ON "alert_channels" USING btree ("default_for") WHERE default_for is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "alert_channels_fallback" ON "alert_channels" USING btree ("fallback") WHERE fallback;
--> statement-breakpoint
CREATE UNIQUE INDEX "alert_channels_configured" ON "alert_channels" USING btree ("kind") WHERE origin = 'configuration';
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_channel_known" CHECK ("alerts"."channel" in ('slack', 'mail', 'telegram', 'channel')) NOT VALID;
