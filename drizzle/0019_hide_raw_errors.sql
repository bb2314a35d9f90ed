-- Inspections of former releases show the raw message of an unexpected error, which may be a statement with its values.
UPDATE "inspections" SET "problems" = '{"Kustos itself failed."}', "problem_codes" = '[]'
WHERE "problem_codes" @> '[{"code": "inspection_broke"}]' OR "problems"[1] LIKE 'Kustos itself failed: %';
