-- What needs attention lists confirmed differences only.
CREATE TRIGGER "tracking_differences_notify" AFTER UPDATE OF "confirmed_at", "ended_at" ON "tracking_differences"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
