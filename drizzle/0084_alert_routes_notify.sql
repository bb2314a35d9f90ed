CREATE TRIGGER "alert_routes_notify" AFTER INSERT OR UPDATE OR DELETE ON "alert_routes"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('alert_routes');
--> statement-breakpoint
CREATE TRIGGER "rotas_notify" AFTER INSERT OR UPDATE OR DELETE ON "rotas"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('rotas');
--> statement-breakpoint
CREATE TRIGGER "rota_overrides_notify" AFTER INSERT OR UPDATE OR DELETE ON "rota_overrides"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('rotas');
--> statement-breakpoint
CREATE TRIGGER "rotas_notify_attention" AFTER INSERT OR UPDATE OR DELETE ON "rotas"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
