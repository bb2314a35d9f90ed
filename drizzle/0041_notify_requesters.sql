-- Whoever asked for a deployment is notified of its end.
CREATE FUNCTION "notify_requester"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kustos', json_build_object('list', 'own_deployments', 'id', NEW.requested_by)::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "deployments_notify_requester" AFTER UPDATE OF "ended_at" ON "deployments"
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at AND NEW.requested_by IS NOT NULL)
  EXECUTE FUNCTION notify_requester();
