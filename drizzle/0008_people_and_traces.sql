DROP INDEX "log_entries_by_subject";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "number" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "sessions_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_by_number" ON "sessions" USING btree ("number");--> statement-breakpoint
CREATE INDEX "log_entries_by_causer" ON "log_entries" USING btree ("causer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "log_entries_by_log" ON "log_entries" USING btree ("log_name","created_at","id");--> statement-breakpoint
CREATE INDEX "log_entries_by_subject" ON "log_entries" USING btree ("subject_type","subject_id","created_at","id");--> statement-breakpoint
-- The log only grows, whoever asks: the owner of the table has to take the trigger away first.
CREATE FUNCTION "refuse_log_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The audit log only grows: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER "log_entries_only_grow" BEFORE UPDATE OR DELETE OR TRUNCATE ON "log_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
--> statement-breakpoint
CREATE TRIGGER "log_entries_tell" AFTER INSERT ON "log_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('logs');
--> statement-breakpoint
CREATE TRIGGER "users_tell" AFTER INSERT OR UPDATE ON "users"
  FOR EACH ROW EXECUTE FUNCTION tell_of_row('users');
--> statement-breakpoint
CREATE TRIGGER "users_tell_themselves" AFTER UPDATE ON "users"
  FOR EACH ROW EXECUTE FUNCTION tell_of_row('account');
--> statement-breakpoint
-- A user's sessions and roles: told to the user, whose id stands in user_id.
CREATE FUNCTION "tell_of_account"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  told integer := CASE TG_OP WHEN 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
BEGIN
  IF told IS NOT NULL THEN
    PERFORM pg_notify('kustos', json_build_object('list', 'account', 'id', told)::text);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "sessions_tell" AFTER INSERT OR DELETE ON "sessions"
  FOR EACH ROW EXECUTE FUNCTION tell_of_account();
--> statement-breakpoint
CREATE TRIGGER "user_roles_tell" AFTER INSERT OR DELETE ON "user_roles"
  FOR EACH ROW EXECUTE FUNCTION tell_of_account();
--> statement-breakpoint
CREATE TRIGGER "user_roles_tell_users" AFTER INSERT OR DELETE ON "user_roles"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('users');
--> statement-breakpoint
CREATE TRIGGER "roles_tell" AFTER INSERT OR UPDATE OR DELETE ON "roles"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('roles');
--> statement-breakpoint
CREATE TRIGGER "role_permissions_tell" AFTER INSERT OR DELETE ON "role_permissions"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('roles');
