CREATE TABLE "dns_record_sets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dns_record_sets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"watched_domain_id" integer NOT NULL,
	"host" text NOT NULL,
	"type" text NOT NULL,
	"records" text[] NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	"is_current" boolean DEFAULT true NOT NULL,
	"alerted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rdap_servers" (
	"server" text PRIMARY KEY NOT NULL,
	"free_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watched_domains" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "watched_domains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"domain" text NOT NULL,
	"dns_due_at" timestamp (3) with time zone NOT NULL,
	"dns_read_at" timestamp (3) with time zone,
	"dns_state" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"muted_types" text[] DEFAULT '{}' NOT NULL,
	"expiry_due_at" timestamp (3) with time zone,
	"expiry_checked_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"registrar" text,
	"expiry_failures" integer DEFAULT 0 NOT NULL,
	"expiry_error" text,
	"expiry_error_code" text,
	"expiry_error_params" jsonb,
	"warned_expiry" timestamp (3) with time zone,
	"warned_days" integer,
	"mail_due_at" timestamp (3) with time zone,
	"mail_state" text,
	"mail" jsonb
);
--> statement-breakpoint
ALTER TABLE "dns_record_sets" ADD CONSTRAINT "dns_record_sets_watched_domain_id_watched_domains_id_fk" FOREIGN KEY ("watched_domain_id") REFERENCES "public"."watched_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dns_record_sets_current" ON "dns_record_sets" USING btree ("watched_domain_id","host","type") WHERE is_current;--> statement-breakpoint
CREATE INDEX "dns_record_sets_by_domain" ON "dns_record_sets" USING btree ("watched_domain_id","first_seen_at");--> statement-breakpoint
CREATE INDEX "dns_record_sets_alerted" ON "dns_record_sets" USING btree ("alerted_at") WHERE alerted_at is not null;--> statement-breakpoint
CREATE INDEX "dns_record_sets_replaced" ON "dns_record_sets" USING btree ("last_seen_at") WHERE not is_current;--> statement-breakpoint
CREATE UNIQUE INDEX "watched_domains_name" ON "watched_domains" USING btree ("name");--> statement-breakpoint
CREATE INDEX "watched_domains_by_domain" ON "watched_domains" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "watched_domains_dns_due" ON "watched_domains" USING btree ("dns_due_at");--> statement-breakpoint
CREATE INDEX "watched_domains_expiry_due" ON "watched_domains" USING btree ("expiry_due_at") WHERE expiry_due_at is not null;--> statement-breakpoint
CREATE INDEX "watched_domains_mail_due" ON "watched_domains" USING btree ("mail_due_at") WHERE mail_due_at is not null;--> statement-breakpoint
CREATE INDEX "watched_domains_expiring" ON "watched_domains" USING btree ("expires_at") WHERE expires_at is not null;