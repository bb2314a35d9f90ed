-- Screens that show how webs are checked, and what was agreed on about their tracking, are notified of changes. So far, they took them
-- from the audit log, which not everybody may see.
LOCK TABLE "checks", "tracking_contracts", "tracking_exceptions" IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TRIGGER "checks_notify" AFTER INSERT OR UPDATE OR DELETE ON "checks"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('checks');
--> statement-breakpoint
CREATE TRIGGER "tracking_contracts_notify" AFTER INSERT OR UPDATE OR DELETE ON "tracking_contracts"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('tracking_contracts');
--> statement-breakpoint
CREATE TRIGGER "tracking_exceptions_notify" AFTER INSERT OR UPDATE OR DELETE ON "tracking_exceptions"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('tracking_contracts');
