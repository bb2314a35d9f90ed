-- Screens that show what needs attention are notified of what changes it, not of every change of these tables. Some of it changes
-- with time alone: the response of /api/attention says when.
LOCK TABLE "webs", "deployments", "incidents", "inspections", "own_domains", "registrar_syncs", "repository_syncs" IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TRIGGER "webs_notify_attention" AFTER UPDATE ON "webs"
  FOR EACH ROW WHEN (
    (OLD.fqdn, OLD.customer, OLD.node_id, OLD.status, OLD.domain_status, OLD.monitoring_web_active, OLD.down_since,
      OLD.cert_expiration, OLD.framework_name, OLD.framework_version, OLD.deleted_at)
    IS DISTINCT FROM
    (NEW.fqdn, NEW.customer, NEW.node_id, NEW.status, NEW.domain_status, NEW.monitoring_web_active, NEW.down_since,
      NEW.cert_expiration, NEW.framework_name, NEW.framework_version, NEW.deleted_at))
  EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "webs_notify_attention_of_new" AFTER INSERT ON "webs"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "deployments_notify_attention" AFTER INSERT OR UPDATE OF "state" ON "deployments"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "incidents_notify_attention" AFTER INSERT OR UPDATE OF "ended_at" ON "incidents"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "inspections_notify_attention" AFTER UPDATE OF "state" ON "inspections"
  FOR EACH ROW WHEN (NEW.kind = 'discovery' AND NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "own_domains_notify_attention" AFTER INSERT OR DELETE OR UPDATE OF "expires_at", "auto_renew" ON "own_domains"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "registrar_syncs_notify_attention" AFTER UPDATE ON "registrar_syncs"
  FOR EACH ROW WHEN ((OLD.error IS NULL) IS DISTINCT FROM (NEW.error IS NULL))
  EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "repository_syncs_notify_attention" AFTER UPDATE ON "repository_syncs"
  FOR EACH ROW WHEN ((OLD.error IS NULL) IS DISTINCT FROM (NEW.error IS NULL))
  EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "attention_handling_notify" AFTER INSERT OR UPDATE ON "attention_handling"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "tracking_violations_notify" AFTER INSERT OR UPDATE OR DELETE ON "tracking_violations"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
-- What the audits so far have found. Later ones store it themselves.
INSERT INTO "tracking_violations" ("web_id", "since", "services")
SELECT web_id, audited_at, services
FROM (
  SELECT DISTINCT ON (web_id) web_id, audited_at, ARRAY(
    SELECT DISTINCT asked ->> 'topic' FROM json_array_elements(visit -> 'asked') asked
    WHERE asked ->> 'verdict' = 'violation' AND asked ->> 'topic' IS NOT NULL ORDER BY 1
  ) AS services
  FROM "tracking_audits" WHERE visit IS NOT NULL ORDER BY web_id, id DESC
) latest
WHERE services <> '{}';
