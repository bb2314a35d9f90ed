CREATE TABLE "alert_escalations" (
	"incident_id" integer NOT NULL,
	"route_id" integer NOT NULL,
	"route_name" text NOT NULL,
	"replaces_channels" boolean NOT NULL,
	"steps" jsonb NOT NULL,
	"done" integer NOT NULL,
	"due_at" timestamp (3) with time zone,
	"channel_ids" integer[] NOT NULL,
	"user_ids" integer[] NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alert_escalations_incident_id_route_id_pk" PRIMARY KEY("incident_id","route_id")
);
--> statement-breakpoint
CREATE TABLE "alert_routes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_routes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"is_active" boolean NOT NULL,
	"customers" text[] NOT NULL,
	"tags" text[] NOT NULL,
	"node_ids" integer[] NOT NULL,
	"severities" text[] NOT NULL,
	"weekdays" integer[] NOT NULL,
	"from_time" text,
	"to_time" text,
	"replaces_channels" boolean NOT NULL,
	"continues" boolean NOT NULL,
	"steps" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rota_overrides" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rota_overrides_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"rota_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"note" text,
	"created_by" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rota_overrides_times" CHECK ("rota_overrides"."starts_at" < "rota_overrides"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "rotas" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rotas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"user_ids" integer[] NOT NULL,
	"handover" text NOT NULL,
	"weekday" integer,
	"time" text NOT NULL,
	"first_day" date NOT NULL,
	"noticed_user_id" integer,
	"noticed_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rotas_handover" CHECK ("rotas"."handover" in ('weekly', 'daily'))
);
--> statement-breakpoint
ALTER TABLE "alert_escalations" ADD CONSTRAINT "alert_escalations_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rota_overrides" ADD CONSTRAINT "rota_overrides_rota_id_rotas_id_fk" FOREIGN KEY ("rota_id") REFERENCES "public"."rotas"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rota_overrides" ADD CONSTRAINT "rota_overrides_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rota_overrides" ADD CONSTRAINT "rota_overrides_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotas" ADD CONSTRAINT "rotas_noticed_user_id_users_id_fk" FOREIGN KEY ("noticed_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_escalations_due" ON "alert_escalations" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "rota_overrides_by_rota" ON "rota_overrides" USING btree ("rota_id","ends_at");