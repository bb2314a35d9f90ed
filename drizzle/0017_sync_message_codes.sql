ALTER TABLE "repository_syncs" ADD COLUMN "error_code" text;--> statement-breakpoint
ALTER TABLE "repository_syncs" ADD COLUMN "error_params" jsonb;--> statement-breakpoint
ALTER TABLE "registrar_syncs" ADD COLUMN "error_code" text;--> statement-breakpoint
ALTER TABLE "registrar_syncs" ADD COLUMN "error_params" jsonb;