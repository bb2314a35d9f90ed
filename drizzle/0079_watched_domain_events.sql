-- The page of a domain and the lists of domains are notified of what they show, not of every reading.
CREATE TRIGGER "watched_domains_notify" AFTER UPDATE ON "watched_domains"
  FOR EACH ROW WHEN (
    (OLD.mail, OLD.expires_at, OLD.expiry_checked_at, OLD.muted_types)
    IS DISTINCT FROM (NEW.mail, NEW.expires_at, NEW.expiry_checked_at, NEW.muted_types))
  EXECUTE FUNCTION tell_of_list('domain_records');
--> statement-breakpoint
CREATE TRIGGER "watched_domains_notify_own_domains" AFTER UPDATE ON "watched_domains"
  FOR EACH ROW WHEN ((OLD.mail_state, OLD.expires_at) IS DISTINCT FROM (NEW.mail_state, NEW.expires_at))
  EXECUTE FUNCTION tell_of_list('own_domains');
--> statement-breakpoint
CREATE TRIGGER "watched_domains_notify_external_domains" AFTER UPDATE ON "watched_domains"
  FOR EACH ROW WHEN ((OLD.mail_state, OLD.expires_at) IS DISTINCT FROM (NEW.mail_state, NEW.expires_at))
  EXECUTE FUNCTION tell_of_list('external_domains');
--> statement-breakpoint
CREATE TRIGGER "watched_domains_notify_attention" AFTER UPDATE ON "watched_domains"
  FOR EACH ROW WHEN (OLD.expires_at IS DISTINCT FROM NEW.expires_at)
  EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "dns_record_sets_notify" AFTER INSERT ON "dns_record_sets"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('domain_records');
--> statement-breakpoint
CREATE TRIGGER "dns_record_sets_notify_attention" AFTER INSERT ON "dns_record_sets"
  FOR EACH ROW WHEN (NEW.alerted_at IS NOT NULL)
  EXECUTE FUNCTION tell_of_list('attention');
