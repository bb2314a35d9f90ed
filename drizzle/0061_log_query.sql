-- A query for entries that have each word of a text. The last one may be the beginning of a word, unless a space follows it; the others
-- are whole, so that frequent ones are not read to their ends. Null if the text has no words.
CREATE OR REPLACE FUNCTION "log_query"("words" text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
  SELECT string_agg(quote_literal(lexeme) || CASE WHEN last = ANY (positions) AND words !~ ' $' THEN ':*' ELSE '' END, ' & ')::tsquery
  FROM (
    SELECT lexeme, positions, max(positions[array_upper(positions, 1)]) OVER () AS last
    FROM unnest(to_tsvector('simple', translate(
      lower(words), $signs$-_./:@,;+*"\'`()[]{}<>|=&%#!?$~^–—…·“”„‘’‚«»$signs$, repeat(' ', 60))))
  ) AS found
$$;
