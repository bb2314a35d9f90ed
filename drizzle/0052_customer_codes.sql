-- Every code that webs, domains and mailboxes have is a customer, whoever writes it: this release, the last one, an import or a
-- sync. Existing customers are locked, so that none is merged away meanwhile; one that was gets its code back. Codes that users
-- could not enter are no customers.
CREATE FUNCTION "add_customers"(codes text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM customers WHERE code = ANY (codes) ORDER BY id FOR KEY SHARE;
  INSERT INTO customers (code)
    SELECT DISTINCT given FROM unnest(codes) AS given
    WHERE given <> '' AND char_length(given) <= 255
      AND NOT EXISTS (SELECT FROM customers c WHERE c.code = given)
    ORDER BY given
    ON CONFLICT DO NOTHING;
END $$;
--> statement-breakpoint
CREATE FUNCTION "add_customers_of_rows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_customers(array(SELECT DISTINCT customer FROM new_rows));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "add_customer_of_row"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_customers(ARRAY[NEW.customer]);
  RETURN NULL;
END $$;
--> statement-breakpoint
LOCK TABLE "webs", "external_domains", "own_domains", "emails" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TRIGGER "webs_add_customers" AFTER INSERT ON "webs"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION add_customers_of_rows();--> statement-breakpoint
CREATE TRIGGER "webs_change_customer" AFTER UPDATE OF "customer" ON "webs"
  FOR EACH ROW WHEN (OLD.customer IS DISTINCT FROM NEW.customer) EXECUTE FUNCTION add_customer_of_row();--> statement-breakpoint
CREATE TRIGGER "external_domains_add_customers" AFTER INSERT ON "external_domains"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION add_customers_of_rows();--> statement-breakpoint
CREATE TRIGGER "external_domains_change_customer" AFTER UPDATE OF "customer" ON "external_domains"
  FOR EACH ROW WHEN (OLD.customer IS DISTINCT FROM NEW.customer) EXECUTE FUNCTION add_customer_of_row();--> statement-breakpoint
CREATE TRIGGER "own_domains_add_customers" AFTER INSERT ON "own_domains"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION add_customers_of_rows();--> statement-breakpoint
CREATE TRIGGER "own_domains_change_customer" AFTER UPDATE OF "customer" ON "own_domains"
  FOR EACH ROW WHEN (OLD.customer IS DISTINCT FROM NEW.customer) EXECUTE FUNCTION add_customer_of_row();--> statement-breakpoint
CREATE TRIGGER "emails_add_customers" AFTER INSERT ON "emails"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION add_customers_of_rows();--> statement-breakpoint
CREATE TRIGGER "emails_change_customer" AFTER UPDATE OF "customer" ON "emails"
  FOR EACH ROW WHEN (OLD.customer IS DISTINCT FROM NEW.customer) EXECUTE FUNCTION add_customer_of_row();--> statement-breakpoint
SELECT add_customers(array(
  SELECT "customer" FROM "webs" UNION SELECT "customer" FROM "external_domains"
  UNION SELECT "customer" FROM "own_domains" UNION SELECT "customer" FROM "emails"));--> statement-breakpoint
CREATE TRIGGER "customers_tell" AFTER INSERT OR UPDATE OR DELETE ON "customers"
  FOR EACH STATEMENT EXECUTE FUNCTION tell_of_list('customers');--> statement-breakpoint
INSERT INTO "permissions" ("name") VALUES ('view customers'), ('edit customers');--> statement-breakpoint
INSERT INTO "role_permissions" ("role_id", "permission")
  SELECT DISTINCT "role_id", 'view customers' FROM "role_permissions" WHERE "permission" IN ('view webs', 'edit webs');--> statement-breakpoint
INSERT INTO "role_permissions" ("role_id", "permission")
  SELECT "role_id", 'edit customers' FROM "role_permissions" WHERE "permission" = 'edit webs';
