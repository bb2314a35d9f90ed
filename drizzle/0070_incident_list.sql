-- In the order in which programs lock them.
LOCK TABLE "users", "deployments", "incidents", "alerts" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "incident_comments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incident_comments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"incident_id" integer NOT NULL,
	"text" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incident_reports" (
	"incident_id" integer PRIMARY KEY NOT NULL,
	"is_deployment_chosen" boolean DEFAULT false NOT NULL,
	"deployment_id" integer,
	"post_mortem" text,
	"post_mortem_by" integer,
	"post_mortem_at" timestamp (3) with time zone
);
--> statement-breakpoint
-- allow ban-drop-not-null: programs of the last release look up incidents by their web, so they leave out outages, which have none
ALTER TABLE "incidents" ALTER COLUMN "web_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "incidents" integer[];
--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "node_id" integer;
--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "outage_id" integer;
--> statement-breakpoint
ALTER TABLE "incident_comments" ADD CONSTRAINT "incident_comments_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "incident_comments" ADD CONSTRAINT "incident_comments_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "incident_reports" ADD CONSTRAINT "incident_reports_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "incident_reports" ADD CONSTRAINT "incident_reports_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "incident_reports" ADD CONSTRAINT "incident_reports_post_mortem_by_users_id_fk" FOREIGN KEY ("post_mortem_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "incident_comments_by_incident" ON "incident_comments" USING btree ("incident_id","id");
