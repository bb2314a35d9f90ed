CREATE TABLE "checks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"web_id" integer,
	"customer_id" integer,
	"tag_id" integer,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "checks_subject" CHECK (num_nonnulls("checks"."web_id", "checks"."customer_id", "checks"."tag_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "degradations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "degradations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"web_id" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"status" smallint,
	"reason" text,
	"reason_code" text,
	"reason_params" jsonb,
	"alerted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "seen_pages" (
	"web_id" integer PRIMARY KEY NOT NULL,
	"url" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "check" json;--> statement-breakpoint
ALTER TABLE "uptime_days" ADD COLUMN "degraded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "checks" ADD CONSTRAINT "checks_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checks" ADD CONSTRAINT "checks_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checks" ADD CONSTRAINT "checks_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "degradations" ADD CONSTRAINT "degradations_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seen_pages" ADD CONSTRAINT "seen_pages_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checks_by_web" ON "checks" USING btree ("web_id");--> statement-breakpoint
CREATE UNIQUE INDEX "checks_by_customer" ON "checks" USING btree ("customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "checks_by_tag" ON "checks" USING btree ("tag_id");--> statement-breakpoint
CREATE UNIQUE INDEX "degradations_one_open" ON "degradations" USING btree ("web_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "degradations_by_web" ON "degradations" USING btree ("web_id","started_at");
