ALTER TABLE "deployment_steps" ADD COLUMN "name_code" text;--> statement-breakpoint
ALTER TABLE "deployment_steps" ADD COLUMN "error_code" text;--> statement-breakpoint
ALTER TABLE "deployment_steps" ADD COLUMN "error_params" jsonb;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "error_code" text;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "error_params" jsonb;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "waits_for_code" text;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "waits_for_params" jsonb;