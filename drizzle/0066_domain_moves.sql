CREATE TABLE "domain_moves" (
	"web_id" integer PRIMARY KEY NOT NULL,
	"moved_at" timestamp (3) with time zone NOT NULL,
	"moved_from" text NOT NULL,
	"moved_to" text,
	"returned_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "domain_moves" ADD CONSTRAINT "domain_moves_web_id_webs_id_fk" FOREIGN KEY ("web_id") REFERENCES "public"."webs"("id") ON DELETE cascade ON UPDATE no action;