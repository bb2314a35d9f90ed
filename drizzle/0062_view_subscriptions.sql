CREATE TABLE "view_evaluations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "view_evaluations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"view_id" integer NOT NULL,
	"scope" text NOT NULL,
	"language" text NOT NULL,
	"filter" text NOT NULL,
	"digest" text,
	"entered_at" timestamp (3) with time zone,
	"retry_at" timestamp (3) with time zone,
	CONSTRAINT "view_evaluations_of_view" UNIQUE("view_id","scope","language")
);
--> statement-breakpoint
CREATE TABLE "view_rows" (
	"evaluation_id" integer NOT NULL,
	"row_key" text NOT NULL,
	"name" text NOT NULL,
	"is_in" boolean NOT NULL,
	"entered_at" timestamp (3) with time zone,
	CONSTRAINT "view_rows_evaluation_id_row_key_pk" PRIMARY KEY("evaluation_id","row_key")
);
--> statement-breakpoint
CREATE TABLE "view_subscriptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "view_subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"view_id" integer NOT NULL,
	"delivery" text NOT NULL,
	"language" text NOT NULL,
	"evaluation_id" integer,
	"seen_until" timestamp (3) with time zone,
	"entered_at" timestamp (3) with time zone,
	"mailed_until" timestamp (3) with time zone,
	CONSTRAINT "view_subscriptions_of_user" UNIQUE("user_id","view_id"),
	CONSTRAINT "view_subscriptions_delivery" CHECK ("view_subscriptions"."delivery" in ('console', 'daily', 'immediate'))
);
--> statement-breakpoint
ALTER TABLE "view_evaluations" ADD CONSTRAINT "view_evaluations_view_id_views_id_fk" FOREIGN KEY ("view_id") REFERENCES "public"."views"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_rows" ADD CONSTRAINT "view_rows_evaluation_id_view_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."view_evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_subscriptions" ADD CONSTRAINT "view_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_subscriptions" ADD CONSTRAINT "view_subscriptions_view_id_views_id_fk" FOREIGN KEY ("view_id") REFERENCES "public"."views"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_subscriptions" ADD CONSTRAINT "view_subscriptions_evaluation_id_view_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."view_evaluations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "view_rows_entered" ON "view_rows" USING btree ("evaluation_id","entered_at") WHERE entered_at is not null;--> statement-breakpoint
CREATE INDEX "view_subscriptions_by_view" ON "view_subscriptions" USING btree ("view_id");--> statement-breakpoint
CREATE INDEX "view_subscriptions_by_evaluation" ON "view_subscriptions" USING btree ("evaluation_id");