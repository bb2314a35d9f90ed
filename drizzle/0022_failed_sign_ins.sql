CREATE TABLE "failed_sign_ins" (
	"hour" timestamp (3) with time zone NOT NULL,
	"email" text NOT NULL,
	"network" text NOT NULL,
	"wrong" integer DEFAULT 0 NOT NULL,
	"throttled" integer DEFAULT 0 NOT NULL,
	"logged" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "failed_sign_ins_hour_email_network_pk" PRIMARY KEY("hour","email","network")
);
--> statement-breakpoint
CREATE INDEX "failed_sign_ins_logged" ON "failed_sign_ins" USING btree ("hour") WHERE "failed_sign_ins"."logged" > 0;--> statement-breakpoint
CREATE INDEX "failed_sign_ins_not_logged" ON "failed_sign_ins" USING btree ("hour") WHERE "failed_sign_ins"."wrong" + "failed_sign_ins"."throttled" > "failed_sign_ins"."logged";