CREATE INDEX CONCURRENTLY IF NOT EXISTS "deployment_steps_with_run" ON "deployment_steps" USING btree ("deployment_id") WHERE run_epoch is not null and state <> 'succeeded';
