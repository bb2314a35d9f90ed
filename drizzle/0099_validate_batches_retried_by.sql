ALTER TABLE "batches" VALIDATE CONSTRAINT "batches_retried_by_users_id_fk";
