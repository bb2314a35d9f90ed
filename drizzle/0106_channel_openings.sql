CREATE TABLE "channel_openings" (
	"channel_id" integer NOT NULL,
	"key" text NOT NULL,
	"incident_ids" integer[] NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "channel_openings_channel_id_key_pk" PRIMARY KEY("channel_id","key")
);
--> statement-breakpoint
ALTER TABLE "channel_openings" ADD CONSTRAINT "channel_openings_channel_id_alert_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alert_channels"("id") ON DELETE cascade ON UPDATE no action;