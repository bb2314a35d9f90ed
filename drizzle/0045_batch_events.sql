CREATE TRIGGER "batches_tell" AFTER INSERT OR UPDATE OF "updated_at" ON "batches"
  FOR EACH ROW EXECUTE FUNCTION tell_of_row('batches');
--> statement-breakpoint
-- Whoever asked for a batch is notified of its end.
CREATE FUNCTION "notify_batch_requester"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kustos', json_build_object('list', 'own_batches', 'id', NEW.requested_by)::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "batches_notify_requester" AFTER UPDATE OF "ended_at" ON "batches"
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
  EXECUTE FUNCTION notify_batch_requester();
