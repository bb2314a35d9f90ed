CREATE TABLE "maintenance_exemptions" (
	"occurrence_id" integer NOT NULL,
	"web_id" integer NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "maintenance_exemptions_occurrence_id_web_id_pk" PRIMARY KEY("occurrence_id","web_id")
);
--> statement-breakpoint
CREATE TABLE "maintenance_occurrences" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "maintenance_occurrences_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"window_id" integer NOT NULL,
	"scope_id" integer NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"noticed" text DEFAULT 'planned' NOT NULL,
	CONSTRAINT "maintenance_occurrences_noticed" CHECK ("maintenance_occurrences"."noticed" in ('planned', 'begun', 'ended'))
);
--> statement-breakpoint
CREATE TABLE "maintenance_scopes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "maintenance_scopes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"web_ids" integer[] NOT NULL,
	"node_ids" integer[] NOT NULL,
	"customers" text[] NOT NULL,
	"tags" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "maintenance_windows" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "maintenance_windows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"reason" text NOT NULL,
	"scope_id" integer NOT NULL,
	"repeats" text NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"weekdays" integer[] NOT NULL,
	"month_days" integer[] NOT NULL,
	"start_time" text,
	"duration_minutes" integer,
	"first_day" date,
	"last_day" date,
	"ended_early_at" timestamp (3) with time zone,
	"planned_by" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "maintenance_windows_repeats" CHECK ("maintenance_windows"."repeats" in ('once', 'weekly', 'monthly'))
);
--> statement-breakpoint
CREATE TABLE "planned_downtimes" (
	"incident_id" integer NOT NULL,
	"occurrence_id" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "planned_downtimes_incident_id_occurrence_id_pk" PRIMARY KEY("incident_id","occurrence_id")
);
--> statement-breakpoint
ALTER TABLE "uptime_days" ADD COLUMN "planned" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "maintenance_exemptions" ADD CONSTRAINT "maintenance_exemptions_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_exemptions" ADD CONSTRAINT "maintenance_exemptions_occurrence" FOREIGN KEY ("occurrence_id") REFERENCES "public"."maintenance_occurrences"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_occurrences" ADD CONSTRAINT "maintenance_occurrences_window_id_maintenance_windows_id_fk" FOREIGN KEY ("window_id") REFERENCES "public"."maintenance_windows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_occurrences" ADD CONSTRAINT "maintenance_occurrences_scope_id_maintenance_scopes_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."maintenance_scopes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_windows" ADD CONSTRAINT "maintenance_windows_scope_id_maintenance_scopes_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."maintenance_scopes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_windows" ADD CONSTRAINT "maintenance_windows_planned_by_users_id_fk" FOREIGN KEY ("planned_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_downtimes" ADD CONSTRAINT "planned_downtimes_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "maintenance_occurrences_by_window" ON "maintenance_occurrences" USING btree ("window_id","starts_at");--> statement-breakpoint
CREATE INDEX "maintenance_occurrences_by_end" ON "maintenance_occurrences" USING btree ("ends_at");