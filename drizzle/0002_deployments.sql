CREATE TABLE "repositories" (
	"name" text PRIMARY KEY NOT NULL,
	"project_key" text NOT NULL,
	"project_name" text NOT NULL,
	"description" text NOT NULL,
	"fork_policy" text,
	"html_url" text NOT NULL,
	"clone_url" text NOT NULL,
	"created_on" timestamp (3) with time zone NOT NULL,
	"updated_on" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "repository_syncs" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"succeeded_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "deployment_lines" (
	"deployment_id" integer NOT NULL,
	"number" integer NOT NULL,
	"step" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "deployment_lines_deployment_id_number_pk" PRIMARY KEY("deployment_id","number")
);
--> statement-breakpoint
CREATE TABLE "deployment_steps" (
	"deployment_id" integer NOT NULL,
	"step" integer NOT NULL,
	"name" text NOT NULL,
	"place" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"error" text,
	CONSTRAINT "deployment_steps_deployment_id_step_pk" PRIMARY KEY("deployment_id","step")
);
--> statement-breakpoint
CREATE TABLE "deployments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deployments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"fqdn" text NOT NULL,
	"web_id" integer,
	"node_id" integer,
	"request" json,
	"repository" text,
	"backup" boolean DEFAULT true NOT NULL,
	"requested_by" integer,
	"attempts" integer DEFAULT 1 NOT NULL,
	"error" text,
	"waits_for" text,
	"cancel_requested_at" timestamp (3) with time zone,
	"holder" text,
	"held_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "deployments_state" CHECK ("deployments"."state" in ('waiting', 'running', 'succeeded', 'failed', 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "webs" ADD COLUMN "repository" text;--> statement-breakpoint
ALTER TABLE "deployment_lines" ADD CONSTRAINT "deployment_lines_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployment_steps" ADD CONSTRAINT "deployment_steps_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deployments_one_of_a_kind" ON "deployments" USING btree ("web_id","kind") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "deployments_one_for_a_repository" ON "deployments" USING btree ("repository") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "deployments_under_way" ON "deployments" USING btree ("state","id") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "deployments_by_web" ON "deployments" USING btree ("web_id","id");