CREATE TABLE "batch_targets" (
	"batch_id" integer NOT NULL,
	"position" integer NOT NULL,
	"web_id" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"deployment_id" integer,
	"inspection_id" integer,
	"error" text,
	"error_code" text,
	"error_params" jsonb,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "batch_targets_batch_id_position_pk" PRIMARY KEY("batch_id","position"),
	CONSTRAINT "batch_targets_state" CHECK ("batch_targets"."state" in ('waiting', 'running', 'succeeded', 'failed', 'skipped', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "batches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"action" text NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"edits" json,
	"reverts_batch" integer,
	"requested_by" integer NOT NULL,
	"parallel" integer NOT NULL,
	"stop_above" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "batches_state" CHECK ("batches"."state" in ('running', 'succeeded', 'failed', 'stopped', 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "batch_id" integer;--> statement-breakpoint
ALTER TABLE "batch_targets" ADD CONSTRAINT "batch_targets_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_targets" ADD CONSTRAINT "batch_targets_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_targets" ADD CONSTRAINT "batch_targets_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "batch_targets_by_web" ON "batch_targets" USING btree ("batch_id","web_id");--> statement-breakpoint
CREATE INDEX "batch_targets_of_web" ON "batch_targets" USING btree ("web_id","batch_id");--> statement-breakpoint
CREATE INDEX "batch_targets_under_way" ON "batch_targets" USING btree ("batch_id","state","position") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "batches_running" ON "batches" USING btree ("id") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "batches_by_requester" ON "batches" USING btree ("requested_by","id");