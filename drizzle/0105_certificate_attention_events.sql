-- Screens that show what needs attention are notified of failing certificates and IPv6 (not of every check), of domains that leave or
-- join the lists, and of channels that are deleted.
CREATE TRIGGER "web_certificates_notify_attention" AFTER UPDATE ON "web_certificates"
  FOR EACH ROW WHEN (
    (OLD.state, OLD.wrong_since, OLD.reason, OLD.valid_to, OLD.ipv6, OLD.ipv6_since)
    IS DISTINCT FROM
    (NEW.state, NEW.wrong_since, NEW.reason, NEW.valid_to, NEW.ipv6, NEW.ipv6_since))
  EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
-- For each row, because a statement also counts as an insert if it only updates.
CREATE TRIGGER "web_certificates_notify_attention_of_others" AFTER INSERT OR DELETE ON "web_certificates"
  FOR EACH ROW EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "watched_domains_notify_attention_of_lists" AFTER UPDATE ON "watched_domains"
  FOR EACH ROW WHEN (OLD.unlisted_since IS DISTINCT FROM NEW.unlisted_since)
  EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "alert_channel_states_notify_attention_of_deleted" AFTER DELETE ON "alert_channel_states"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
