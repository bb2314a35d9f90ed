ALTER TABLE "deployment_steps" ADD COLUMN "run_epoch" integer;--> statement-breakpoint
ALTER TABLE "deployment_steps" ADD COLUMN "output_after" integer;