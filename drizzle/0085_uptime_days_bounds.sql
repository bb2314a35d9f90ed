-- uptime_days becomes a partition in 0087, which only takes a moment if its bounds are known: those that it has until the end
-- of this year.
DO $$
DECLARE
  last date;
BEGIN
  SELECT greatest(max(day), current_date) INTO last FROM uptime_days;
  EXECUTE format('ALTER TABLE uptime_days ADD CONSTRAINT uptime_days_bounds CHECK (day >= %L AND day < %L) NOT VALID',
    '1970-01-01', (date_trunc('year', last) + interval '1 year')::date);
END $$;
