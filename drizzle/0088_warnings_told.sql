CREATE TABLE "channel_warnings" (
	"channel_id" integer NOT NULL,
	"key" text NOT NULL,
	"warning" jsonb NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "channel_warnings_channel_id_key_pk" PRIMARY KEY("channel_id","key")
);
--> statement-breakpoint
ALTER TABLE "degradations" ADD COLUMN "replaces_channels" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "degradations" ADD COLUMN "channel_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "degradations" ADD COLUMN "user_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "channel_warnings" ADD CONSTRAINT "channel_warnings_channel_id_alert_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alert_channels"("id") ON DELETE cascade ON UPDATE no action;