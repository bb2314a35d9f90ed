CREATE TRIGGER "views_tell" AFTER INSERT OR UPDATE OR DELETE ON "views"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('views');
--> statement-breakpoint
CREATE TRIGGER "pinned_views_tell" AFTER INSERT OR UPDATE OR DELETE ON "pinned_views"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('views');
--> statement-breakpoint
CREATE TRIGGER "default_views_tell" AFTER INSERT OR UPDATE OR DELETE ON "default_views"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('views');
