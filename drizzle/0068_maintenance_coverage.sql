-- What a list of tags is found by: "contract:gold" by itself and by "contract". The index webs_by_tag has it.
CREATE FUNCTION "tag_keys"(tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tags || ARRAY(SELECT split_part(tag, ':', 1) FROM unnest(tags) tag)
$$;
--> statement-breakpoint
-- The webs that each scope covers now. A web may occur more than once.
CREATE VIEW "maintenance_coverage" AS
  SELECT s.id AS scope_id, named.web_id
  FROM "maintenance_scopes" s, unnest(s.web_ids) AS named (web_id)
  UNION ALL
  SELECT s.id, w.id FROM "maintenance_scopes" s JOIN "webs" w ON w.node_id = ANY (s.node_ids)
  UNION ALL
  SELECT s.id, w.id FROM "maintenance_scopes" s JOIN "webs" w ON w.customer = ANY (s.customers)
  UNION ALL
  SELECT s.id, w.id FROM "maintenance_scopes" s JOIN "webs" w ON tag_keys(w.tags) && s.tags;
--> statement-breakpoint
-- The webs in maintenance and when: the only place that decides it. The periods of two windows may overlap. Queries for one moment
-- also compare planned_until with it, which is indexed.
CREATE VIEW "web_maintenance" AS
  SELECT c.web_id, o.window_id, o.id AS occurrence_id, o.starts_at, coalesce(x.ended_at, o.ends_at) AS ends_at,
    o.ends_at AS planned_until
  FROM "maintenance_occurrences" o
  JOIN "maintenance_coverage" c ON c.scope_id = o.scope_id
  LEFT JOIN "maintenance_exemptions" x ON x.occurrence_id = o.id AND x.web_id = c.web_id;
--> statement-breakpoint
CREATE TRIGGER "maintenance_windows_notify" AFTER INSERT OR UPDATE ON "maintenance_windows"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('maintenance_windows');
--> statement-breakpoint
CREATE TRIGGER "maintenance_occurrences_notify" AFTER UPDATE ON "maintenance_occurrences"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('maintenance_windows');
--> statement-breakpoint
CREATE TRIGGER "maintenance_occurrences_notify_attention" AFTER UPDATE ON "maintenance_occurrences"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
CREATE TRIGGER "maintenance_exemptions_notify" AFTER INSERT ON "maintenance_exemptions"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('maintenance_windows');
--> statement-breakpoint
CREATE TRIGGER "maintenance_exemptions_notify_attention" AFTER INSERT ON "maintenance_exemptions"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('attention');
--> statement-breakpoint
INSERT INTO "permissions" ("name") VALUES ('plan maintenance');--> statement-breakpoint
INSERT INTO "role_permissions" ("role_id", "permission")
  SELECT "role_id", 'plan maintenance' FROM "role_permissions" WHERE "permission" = 'edit webs';
