-- Whoever listens on the channel "kustos" hears which list has changed, and in it which row.
CREATE FUNCTION "tell_of_row"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kustos', json_build_object('list', TG_ARGV[0], 'id', NEW.id)::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "tell_of_list"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kustos', json_build_object('list', TG_ARGV[0])::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "tell_of_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kustos', json_build_object('list', NEW.list)::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "revisions_tell" AFTER UPDATE ON "revisions"
  FOR EACH ROW EXECUTE FUNCTION tell_of_revision();
--> statement-breakpoint
-- Its holder moves held_until every second, which is nothing to tell of.
CREATE TRIGGER "deployments_tell" AFTER INSERT OR UPDATE OF "updated_at" ON "deployments"
  FOR EACH ROW EXECUTE FUNCTION tell_of_row('deployments');
--> statement-breakpoint
CREATE TRIGGER "repositories_tell" AFTER INSERT OR UPDATE OR DELETE ON "repositories"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('repositories');
--> statement-breakpoint
CREATE FUNCTION "tell_of_lines"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kustos', json_build_object('list', 'deployment_lines', 'id', deployment_id)::text)
    FROM (SELECT DISTINCT deployment_id FROM new_lines) AS told;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "deployment_lines_tell" AFTER INSERT ON "deployment_lines"
  REFERENCING NEW TABLE AS new_lines
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_lines();
