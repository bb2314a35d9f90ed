CREATE TABLE "tracking_contracts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracking_contracts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"web_id" integer,
	"customer_id" integer,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tracking_contracts_scope" CHECK (num_nonnulls("tracking_contracts"."web_id", "tracking_contracts"."customer_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "tracking_differences" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracking_differences_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"web_id" integer NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"value" text,
	"expected" text[] NOT NULL,
	"found" text[] NOT NULL,
	"reason" text,
	"reason_code" text,
	"reason_params" jsonb,
	"evidence" json,
	"preceded_by" json,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"first_audit_id" integer NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"unseen_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"alerted_at" timestamp (3) with time zone,
	"end_alerted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tracking_exceptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracking_exceptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"web_id" integer,
	"customer_id" integer,
	"key" text NOT NULL,
	"difference" text,
	"difference_code" text,
	"difference_params" jsonb,
	"until" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tracking_exceptions_scope" CHECK (num_nonnulls("tracking_exceptions"."web_id", "tracking_exceptions"."customer_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "tracking_judgements" (
	"web_id" integer PRIMARY KEY NOT NULL,
	"judged_at" timestamp (3) with time zone NOT NULL,
	"recheck_at" timestamp (3) with time zone,
	"rechecks" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "inspections" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "tracking_contracts" ADD CONSTRAINT "tracking_contracts_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_contracts" ADD CONSTRAINT "tracking_contracts_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_differences" ADD CONSTRAINT "tracking_differences_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_exceptions" ADD CONSTRAINT "tracking_exceptions_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_exceptions" ADD CONSTRAINT "tracking_exceptions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_exceptions" ADD CONSTRAINT "tracking_exceptions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_judgements" ADD CONSTRAINT "tracking_judgements_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tracking_contracts_by_web" ON "tracking_contracts" USING btree ("web_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tracking_contracts_by_customer" ON "tracking_contracts" USING btree ("customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tracking_differences_one_open" ON "tracking_differences" USING btree ("web_id","key") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "tracking_differences_by_web" ON "tracking_differences" USING btree ("web_id","ended_at");--> statement-breakpoint
CREATE INDEX "tracking_differences_open" ON "tracking_differences" USING btree ("confirmed_at") WHERE ended_at is null and confirmed_at is not null;--> statement-breakpoint
CREATE INDEX "tracking_exceptions_by_web" ON "tracking_exceptions" USING btree ("web_id");--> statement-breakpoint
CREATE INDEX "tracking_exceptions_by_customer" ON "tracking_exceptions" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "tracking_judgements_due" ON "tracking_judgements" USING btree ("recheck_at") WHERE recheck_at is not null;