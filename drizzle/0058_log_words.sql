ALTER TABLE "log_entries" ADD COLUMN "request_id" text;--> statement-breakpoint
-- The words of an entry of the audit log: its log, its action, what its JSON names and contains, and its request, in lower case. Signs separate
-- words, so that the parts of a host name, an address or a date are words of their own. The index of the next migration contains what
-- this returns: other words take a new function and a new index.
CREATE FUNCTION "log_words"("log_name" text, "description" text, "properties" json, "request_id" text)
RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 3000 SET search_path = pg_catalog, pg_temp AS $$
  SELECT strip(to_tsvector('simple', translate(
    lower(left(concat_ws(' ', log_name, description, request_id, replace(properties::text, '\n', ' ')), 100000)),
    $signs$-_./:@,;+*"\'`()[]{}<>|=&%#!?$~^–—…·“”„‘’‚«»$signs$, repeat(' ', 60))))
$$;
--> statement-breakpoint
-- A query for entries that have, for each word of a text, one that begins with it. Null if the text has no words.
CREATE FUNCTION "log_query"("words" text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
  SELECT string_agg(quote_literal(lexeme) || ':*', ' & ')::tsquery
  FROM unnest(to_tsvector('simple', translate(
    lower(words), $signs$-_./:@,;+*"\'`()[]{}<>|=&%#!?$~^–—…·“”„‘’‚«»$signs$, repeat(' ', 60))))
$$;
