CREATE TRIGGER "batches_tell" AFTER INSERT OR UPDATE OF "updated_at" ON "batches"
  FOR EACH ROW EXECUTE FUNCTION tell_of_row('batches');
