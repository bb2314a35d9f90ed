CREATE TABLE "third_party_classifications" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "third_party_classifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"host" text NOT NULL,
	"category" text NOT NULL,
	"reason" text NOT NULL,
	"classified_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "third_party_classifications_host_unique" UNIQUE("host")
);
--> statement-breakpoint
CREATE TABLE "third_party_policy" (
	"category" text PRIMARY KEY NOT NULL,
	"decision" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "third_party_policy_decision" CHECK ("third_party_policy"."decision" in ('consent', 'review', 'none'))
);
--> statement-breakpoint
CREATE TABLE "web_third_parties" (
	"web_id" integer NOT NULL,
	"phase" text NOT NULL,
	"host" text NOT NULL,
	"entity" text NOT NULL,
	"topic" text,
	"category" text NOT NULL,
	"alias" text,
	"is_denied" boolean NOT NULL,
	"first_seen" timestamp (3) with time zone NOT NULL,
	"last_seen" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "web_third_parties_web_id_phase_host_entity_pk" PRIMARY KEY("web_id","phase","host","entity"),
	CONSTRAINT "web_third_parties_phase" CHECK ("web_third_parties"."phase" in ('static', 'before', 'refused', 'accepted', 'withdrawn'))
);
--> statement-breakpoint
ALTER TABLE "third_party_classifications" ADD CONSTRAINT "third_party_classifications_category_fk" FOREIGN KEY ("category") REFERENCES "public"."third_party_policy"("category") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "third_party_classifications" ADD CONSTRAINT "third_party_classifications_classified_by_users_id_fk" FOREIGN KEY ("classified_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_third_parties" ADD CONSTRAINT "web_third_parties_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_third_parties" ADD CONSTRAINT "web_third_parties_category_third_party_policy_category_fk" FOREIGN KEY ("category") REFERENCES "public"."third_party_policy"("category") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "web_third_parties_by_host" ON "web_third_parties" USING btree ("host");