ALTER TABLE "external_domains" ADD COLUMN "check_error_code" text;--> statement-breakpoint
ALTER TABLE "external_domains" ADD COLUMN "check_error_params" jsonb;--> statement-breakpoint
ALTER TABLE "own_domains" ADD COLUMN "check_error_code" text;--> statement-breakpoint
ALTER TABLE "own_domains" ADD COLUMN "check_error_params" jsonb;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "reason_code" text;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "reason_params" jsonb;--> statement-breakpoint
ALTER TABLE "statistics" ADD COLUMN "reason_code" text;--> statement-breakpoint
ALTER TABLE "statistics" ADD COLUMN "reason_params" jsonb;