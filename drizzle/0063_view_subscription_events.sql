CREATE TRIGGER "view_subscriptions_tell" AFTER INSERT OR DELETE OR UPDATE OF "delivery" ON "view_subscriptions"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('views');
--> statement-breakpoint
CREATE TRIGGER "view_subscriptions_notify_attention" AFTER DELETE OR UPDATE OF "entered_at", "evaluation_id" ON "view_subscriptions"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
