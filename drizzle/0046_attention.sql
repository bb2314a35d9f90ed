LOCK TABLE "users", "webs", "own_domains", "registrar_syncs", "repository_syncs" IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "attention_handling" (
	"kind" text NOT NULL,
	"subject_id" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"acknowledged_by" integer,
	"acknowledged_at" timestamp (3) with time zone,
	"assigned_to" integer,
	"snoozed_by" integer,
	"snoozed_until" timestamp (3) with time zone,
	"note" text,
	"action" text NOT NULL,
	"updated_by" integer,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "attention_handling_kind_subject_id_since_pk" PRIMARY KEY("kind","subject_id","since"),
	CONSTRAINT "attention_handling_action" CHECK ("attention_handling"."action" in ('acknowledged', 'assigned', 'snoozed', 'reopened'))
);
--> statement-breakpoint
CREATE TABLE "tracking_violations" (
	"web_id" integer PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"services" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "repository_syncs" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "own_domains" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "own_domains" ADD COLUMN "auto_renew" boolean;--> statement-breakpoint
ALTER TABLE "registrar_syncs" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "attention_handling" ADD CONSTRAINT "attention_handling_acknowledged_by_users_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attention_handling" ADD CONSTRAINT "attention_handling_assigned_to_users_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attention_handling" ADD CONSTRAINT "attention_handling_snoozed_by_users_id_fk" FOREIGN KEY ("snoozed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attention_handling" ADD CONSTRAINT "attention_handling_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_violations" ADD CONSTRAINT "tracking_violations_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;