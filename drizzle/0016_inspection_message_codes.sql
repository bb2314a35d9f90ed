ALTER TABLE "inspections" ADD COLUMN "problem_codes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tracking_audits" ADD COLUMN "problem_codes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "web_facts" ADD COLUMN "error_code" text;--> statement-breakpoint
ALTER TABLE "web_facts" ADD COLUMN "error_params" jsonb;