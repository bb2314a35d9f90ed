CREATE TABLE "emails" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "emails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer" text NOT NULL,
	"address" text NOT NULL,
	"type" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "external_domains" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "external_domains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer" text NOT NULL,
	"fqdn" text NOT NULL,
	"fqdn_ascii" text NOT NULL,
	"domainprovider" text NOT NULL,
	"status" integer,
	"mname" text,
	"checked_at" timestamp (3) with time zone,
	"check_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "own_domains" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "own_domains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer" text NOT NULL,
	"fqdn" text NOT NULL,
	"fqdn_ascii" text NOT NULL,
	"status" integer,
	"mname" text,
	"checked_at" timestamp (3) with time zone,
	"check_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registrar_syncs" (
	"id" integer PRIMARY KEY NOT NULL,
	"succeeded_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "inspections" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inspections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"web_id" integer NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"requested_by" integer,
	"problems" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "inspections_kind" CHECK ("inspections"."kind" in ('refresh', 'tracking')),
	CONSTRAINT "inspections_state" CHECK ("inspections"."state" in ('waiting', 'running', 'succeeded', 'partial', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "tracking_audits" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracking_audits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"web_id" integer NOT NULL,
	"audited_at" timestamp (3) with time zone NOT NULL,
	"engine" text NOT NULL,
	"outcome" text NOT NULL,
	"problems" text[] DEFAULT '{}' NOT NULL,
	"findings" json NOT NULL,
	CONSTRAINT "tracking_audits_engine" CHECK ("tracking_audits"."engine" in ('static', 'browser')),
	CONSTRAINT "tracking_audits_outcome" CHECK ("tracking_audits"."outcome" in ('seen', 'partial', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "web_facts" (
	"web_id" integer NOT NULL,
	"fact" text NOT NULL,
	"seen_at" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone NOT NULL,
	"error" text,
	CONSTRAINT "web_facts_web_id_fact_pk" PRIMARY KEY("web_id","fact"),
	CONSTRAINT "web_facts_fact" CHECK ("web_facts"."fact" in ('plesk', 'dns', 'certificate', 'http', 'framework', 'tracking'))
);
--> statement-breakpoint
ALTER TABLE "inspections" ADD CONSTRAINT "inspections_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inspections" ADD CONSTRAINT "inspections_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_audits" ADD CONSTRAINT "tracking_audits_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_facts" ADD CONSTRAINT "web_facts_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "emails_address" ON "emails" USING btree ("address");--> statement-breakpoint
CREATE UNIQUE INDEX "external_domains_fqdn" ON "external_domains" USING btree ("fqdn_ascii");--> statement-breakpoint
CREATE UNIQUE INDEX "own_domains_fqdn" ON "own_domains" USING btree ("fqdn_ascii");--> statement-breakpoint
CREATE UNIQUE INDEX "inspections_one_of_a_kind" ON "inspections" USING btree ("web_id","kind") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "inspections_under_way" ON "inspections" USING btree ("id") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "inspections_by_web" ON "inspections" USING btree ("web_id","id");--> statement-breakpoint
CREATE INDEX "tracking_audits_by_web" ON "tracking_audits" USING btree ("web_id","id");
--> statement-breakpoint
CREATE TRIGGER "own_domains_tell" AFTER INSERT OR UPDATE OR DELETE ON "own_domains"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('own_domains');
--> statement-breakpoint
CREATE TRIGGER "external_domains_tell" AFTER INSERT OR UPDATE OR DELETE ON "external_domains"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('external_domains');
--> statement-breakpoint
CREATE TRIGGER "emails_tell" AFTER INSERT OR UPDATE OR DELETE ON "emails"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('emails');
--> statement-breakpoint
CREATE TRIGGER "inspections_tell" AFTER INSERT OR UPDATE ON "inspections"
  FOR EACH ROW EXECUTE FUNCTION tell_of_row('inspections');
