-- In the order in which programs lock them.
LOCK TABLE "webs", "certificate_warnings" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "certificate_checks" (
	"web_id" integer PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "web_certificates" (
	"web_id" integer NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"reason_code" text,
	"reason_params" jsonb,
	"wrong_since" timestamp (3) with time zone,
	"announced_at" timestamp (3) with time zone,
	"announced_state" text,
	"authority" text,
	"valid_from" timestamp (3) with time zone,
	"valid_to" timestamp (3) with time zone,
	"fingerprint" text,
	"covers_name" boolean,
	"is_trusted" boolean,
	"ipv6" text NOT NULL,
	"ipv6_reason" text,
	"ipv6_reason_code" text,
	"ipv6_reason_params" jsonb,
	"ipv6_since" timestamp (3) with time zone,
	CONSTRAINT "web_certificates_web_id_name_pk" PRIMARY KEY("web_id","name"),
	CONSTRAINT "web_certificates_state" CHECK ("web_certificates"."state" in ('valid', 'expired', 'not_yet_valid', 'wrong_name', 'untrusted', 'replaced', 'missing', 'unreachable', 'elsewhere', 'unresolved')),
	CONSTRAINT "web_certificates_ipv6" CHECK ("web_certificates"."ipv6" in ('none', 'working', 'unconfirmed', 'failing', 'unknown'))
);
--> statement-breakpoint
ALTER TABLE "certificate_warnings" ADD COLUMN "name" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- allow constraint-missing-not-valid: the columns are not null, and the index is built as said below
-- allow adding-serial-primary-key-field: certificate_warnings has four rows per certificate that has ended within 90 days
ALTER TABLE "certificate_warnings" DROP CONSTRAINT "certificate_warnings_web_id_cert_expiration_days_pk", ADD CONSTRAINT "certificate_warnings_web_id_name_cert_expiration_days_pk" PRIMARY KEY("web_id","name","cert_expiration","days");--> statement-breakpoint
ALTER TABLE "webs" ADD COLUMN "cert_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "certificate_checks" ADD CONSTRAINT "certificate_checks_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_certificates" ADD CONSTRAINT "web_certificates_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "certificate_checks_by_due" ON "certificate_checks" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "web_certificates_wrong" ON "web_certificates" USING btree ("wrong_since") WHERE wrong_since is not null;--> statement-breakpoint
CREATE INDEX "web_certificates_ipv6_failing" ON "web_certificates" USING btree ("ipv6_since") WHERE ipv6 = 'failing';--> statement-breakpoint
CREATE INDEX "web_certificates_by_end" ON "web_certificates" USING btree ("valid_to");