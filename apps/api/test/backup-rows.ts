import type { TestDatabase } from '@kustos/database/testing'

/** Texts that a format could handle incorrectly. */
export const unusualTexts = [
  'Müller & Söhne „ß“ 🦆 \u{10ffff}',
  'tab\there, line\nthere, return\rtoo, back\\slash \\N \\. \\t',
  '',
  '\\N',
  '\\.',
  'it\'s "quoted"; drop table webs; --',
  ' \u0001\u001f\u007f\u0085\u2028 ',
]

const json = String.raw`{"a":"line\nbreak \\ \" \u0041 \ud83e\udd86","b":[],"c":{},"d":1e308,"e":-0.0,"f":12345678901234567890,  "f":null}`

/** Days of Europe/Rome in UTC: one of 23 hours, one of 25 hours, and an ordinary one. */
const days = [
  ['2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  ['2026-11-20', '2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z'],
] as const

/** Inserts unusual rows into every table. */
export async function insertUnusualRows({ owner: { pool } }: TestDatabase): Promise<void> {
  for (const day of days) await pool.query('select make_statistics_partition($1, $2, $3)', [...day])
  await pool.query(
    `insert into users (email, name, password_hash, deleted_at)
    select 'user' || i || '@kustos.test', name, '$argon2id$v=19$' || i, case when i = 2 then 'infinity'::timestamptz end
    from unnest($1::text[]) with ordinality as odd (name, i)`,
    [unusualTexts],
  )
  await pool.query(
    `insert into webs (fqdn, fqdn_ascii, customer, comment, configured_ip, auftragnr_hosting, sites, tracking_data, disk_usage)
    select 'odd' || i || '.test', 'odd' || i || '.test', 'KUNDE', comment, '192.0.2.1',
      case i % 3 when 0 then '{}' when 1 then array[comment, null, 'NULL', ''] else array['{a,b}', '"'] end,
      $2::json, case when i > 2 then $2::json end, 9223372036854775807 - i
    from unnest($1::text[] || repeat('ü\\', 200000) || null::text) with ordinality as odd (comment, i)`,
    [unusualTexts, json],
  )
  await pool.query(
    `insert into log_entries (created_at, log_name, description, subject_type, subject_id, causer_id, properties)
    select '2026-03-29T01:00:00.123Z'::timestamptz + i * interval '1 second', 'webs', $1, 'web', 1, 1 + i % 7, $2::json
    from generate_series(1, 5000) i
    union all select now(), 'webs', $1, 'web', 1, 1, $2::json from generate_series(1, 1000)`,
    [unusualTexts[1], json],
  )
  await pool.query(
    `insert into statistics select web, at, at + interval '7 milliseconds', 200, 2147483647, 'up', $1
    from generate_series(1, 3) web, unnest($2::timestamptz[]) as starts,
      generate_series(starts, starts + interval '22 hours', interval '1 minute') at`,
    [unusualTexts[0], days.map(([, from]) => from)],
  )
  // A packed day.
  await pool.query(`
    select make_statistics_partition('2026-03-28', '2026-03-27T23:00:00Z', '2026-03-28T23:00:00Z');
    select create_packed_statistics('2026-03-28');
    select replace_statistics_partition('2026-03-28', '2026-03-27T23:00:00Z', '2026-03-28T23:00:00Z')`)
  await pool.query(
    `insert into packed_statistics select 1, '2026-03-28T01:00:00Z', null, 'down', reason, 'code', $2::jsonb, -1, null,
      '{0,3599}', '{0,32767}', '{null,null}' from unnest($1::text[]) reason`,
    [unusualTexts, '{"seconds":10}'],
  )
  await pool.query(others)
  // Skipped ids, and a sequence that has not been used yet.
  await pool.query(`
    select nextval('webs_id_seq') from generate_series(1, 50);
    select setval('alerts_id_seq', 2147483000, true);
    alter sequence categories_id_seq restart with 40;`)
}

const others = String.raw`
  insert into nodes (name, plesk_fqdn, address) values ('bz-cloud-01', 'bz.test', null), ('ü', 'x.test', '');
  insert into categories (name) values ('Größe'), (E'tab\t');
  insert into customers (code, name, contacts, notes, spellings) values ('ü', E'tab\\t', '[{"name":"\u2028"}]', '', '{"a,b",NULL}');
  insert into maintenance_scopes (web_ids, node_ids, customers, tags) values ('{1,2}', '{}', '{"a,b","ü"}', E'{"tab\\t:x"}');
  insert into maintenance_windows (reason, scope_id, repeats, weekdays, month_days, start_time, duration_minutes, first_day, planned_by)
    values ('Größe', 1, 'weekly', '{1,7}', '{}', '02:30', 60, '2026-03-29', 1);
  insert into maintenance_occurrences (window_id, scope_id, starts_at, ends_at)
    values (1, 1, '2026-03-29T01:30:00Z', '2026-03-29T02:30:00Z');
  insert into maintenance_exemptions values (1, 1, '2026-03-29T02:00:00Z');
  insert into alert_channels (name, kind, settings, secrets) values ('Größe', 'webhook', '{"host":"a.test"}', 'v1.sealed');
  insert into alert_channel_states (channel_id, last_sent_at, error) values (1, '2026-03-29T02:00:00Z', E'tab\\t');
  insert into alert_channel_tests (channel_id, created_at) values (1, '2026-03-29T02:00:00Z');
  insert into channel_incidents values (1, 7, 'triggered', '2026-03-29T02:00:00Z');
  insert into channel_openings values (1, 'kustos-incidents-1-down', '{1,2}', '2026-03-29T02:00:00Z');
  insert into channel_warnings values (1, 'dns-ü-NS', '{"kind":"dns","title":"ü"}', '2026-03-29T02:00:00Z');
  insert into rotas (name, user_ids, handover, time, first_day) values ('Größe', '{2,1}', 'daily', '02:30', '2026-03-29');
  insert into rota_overrides (rota_id, user_id, starts_at, ends_at, note, created_at) values (1, 1, '2026-03-29T01:30:00Z', '2026-03-29T02:30:00Z', E'tab\\t', now());
  insert into alert_routes (name, position, is_active, customers, tags, node_ids, severities, weekdays, replaces_channels, continues, steps)
    values ('ü', 1, true, '{"a,b","ü"}', '{}', '{1}', '{down}', '{1,7}', false, true, '[{"after_minutes":0,"channels":[],"rotas":[1]}]');
  insert into checks (web_id, settings) values (1, '{"path":"/größe"}');
  insert into degradations (web_id, started_at, reason) values (1, '2026-03-29T02:00:00Z', E'tab\\t');
  insert into seen_pages values (1, 'ü.test/');
  insert into tags (name, type, options, description) values ('größe', 'list', '{"a,b",NULL}', E'tab\\t');
  insert into web_categories values (1, 1), (2, 1), (2, 2);
  insert into role_permissions select 1, name from permissions;
  insert into user_roles values (1, 1), (2, 1);
  insert into sessions (id, user_id, data, remembered, created_at, last_seen_at, expires_at)
    values ('s', 1, '{}', true, now(), now(), now());
  insert into email_changes values (1, 'n@kustos.test', 'h', now());
  insert into sign_in_attempts (email, address, attempted_at) values ('a@kustos.test', '::1', now());
  insert into failed_sign_ins values (date_trunc('hour', now()), 'a@kustos.test', '', 0, 3, 1);
  insert into sign_in_limits values ('a@kustos.test everywhere', 1, 1e13);
  insert into leases (name, holder, expires_at) values ('alerts', 'a worker', now());
  insert into repositories values ('r', 'P', 'Projekt', '', null, 'https://x.test', 'git@x.test', now(), now());
  insert into repository_syncs values (1, now(), null, E'back\\slash');
  insert into registrar_syncs values (1, null, '-infinity', 'nothing');
  insert into deployments (kind, state, fqdn, web_id, node_id, request, requested_by, holder, held_until, created_at, updated_at)
    values ('updateWeb', 'waiting', 'odd1.test', 1, 1, null, 1, null, null, now(), now()),
      ('updateWeb', 'running', 'odd2.test', 2, 1, '{"x":1e308}', null, 'gone', now(), now(), now()),
      ('updateWeb', 'succeeded', 'odd2.test', 2, 1, '[]', null, null, null, now(), now());
  insert into batches (action, state, edits, requested_by, parallel, stop_above, created_at, updated_at)
    values ('edit', 'failed', '{"comment":"ü\\"}', 1, 10, 20, now(), now());
  insert into batch_targets (batch_id, position, web_id, state, error) values (1, 0, 1, 'failed', E'back\\slash');
  insert into deployment_steps (deployment_id, step, name, place) values (1, 1, 'Größe', 'node');
  insert into deployment_lines select 1, i, 1, now(), 'output', repeat(E'\\', i % 100) from generate_series(1, 2000) i;
  insert into inspections (web_id, kind, problems, created_at) values (1, 'refresh', '{}', now()), (2, 'tracking', '{NULL,"a,b"}', now());
  insert into inspections (node_id, kind, state, problems, connection, created_at) values (1, 'connection', 'failed', '{}', '{"checks":[]}', now());
  insert into discovered_webs values (1, 'xn--tda.test', 'ü.test', null, 16, null, '8.3', 'Ü', '[]', '["a.test"]', null);
  insert into tracking_audits (web_id, audited_at, engine, outcome, findings) values (1, now(), 'static', 'seen', '[]');
  select make_record_partitions('2026-10-31T23:59:59.999Z'), make_record_partitions('2026-11-01T00:00:00Z');
  insert into tracking_records select 1, 1, at, 7, null, '', E'{"a":"tab\\t \u2028"}', '' from
    unnest('{2026-10-31T23:59:59.999Z,2026-11-01T00:00:00Z}'::timestamptz[]) at;
  insert into tracking_images values ('', '2026-10-01T00:00:00Z', '\x00ff5c4e0a');
  insert into tracking_images values ('', '2026-11-01T00:00:00Z', '\x00');
  insert into report_pdfs (document, html, requested_at) values ('', E'ü\\', '-infinity');
  insert into web_facts values (1, 'dns', null, now(), 'why');
  insert into alerts (channel, content, created_at) values ('slack', '{"text":"\u2028"}', now()), ('mail', '{}', now());
  insert into log_seals values (1, now(), repeat('0', 64), '1 2026-03-29T01:00:01.123 ' || repeat('a', 64), repeat('b', 64));
  insert into log_archives values (0, '-infinity', '2026-01-01', 'Ärchiv', 9007199254740991, '');
  insert into log_settings (retention_months) values (36);
  insert into tracking_violations values (1, now(), '{"a,b",NULL}');
  insert into third_party_classifications (host, category, reason) values ('xn--tda.test', 'other', E'ü\\');
  insert into web_third_parties values (1, 'static', 'xn--tda.test', '', null, 'unknown', null, false, '-infinity', 'infinity');
  insert into tracking_contracts (web_id, settings) values (1, '{"consent_tool":"Größe","gtm":["a,b"]}');
  insert into tracking_exceptions (web_id, key, until, reason, created_by, created_at) values (1, 'found gtm ü', 'infinity', E'tab\\t', 1, now());
  insert into tracking_differences (web_id, key, kind, subject, expected, found, evidence, first_seen_at, first_audit_id, last_seen_at)
    values (1, 'found gtm ü', 'unexpected', 'gtm', '{}', '{"a,b",NULL}', '{"url":"\u2028"}', now(), 1, now());
  insert into tracking_judgements values (1, now(), null, 2);
  insert into attention_handling values ('web_down', 1, now(), 1, now(), null, null, 'infinity', E'ü\\', 'acknowledged', 1, now());
  insert into certificate_warnings (web_id, cert_expiration, days, warned_at) values (1, now(), 14, now());
  insert into certificate_checks values (1, '-infinity');
  insert into web_certificates (web_id, name, kind, checked_at, state, authority, ipv6) values (1, 'xn--tda.test', 'main', now(), 'valid', E'ü\\', 'none');
  insert into incidents (web_id, started_at, last_failed_at, reason, watched_until) values (1, now(), now(), 'ü', now());
  insert into incidents (node_id, started_at, last_failed_at, reason, watched_until) values (1, now(), now(), 'ü', now());
  update incidents set outage_id = 2 where id = 1;
  insert into alert_escalations values (1, 1, 'ü', false, '[]', 1, null, '{1}', '{}', now());
  insert into incident_gaps values (1, now(), now());
  insert into domain_moves values (1, now(), '192.0.2.1', null, null);
  insert into planned_downtimes values (1, 1, now(), now());
  insert into incident_comments (incident_id, text, created_by, created_at) values (1, E'back\\slash', 1, now());
  insert into incident_reports values (2, true, 1, 'ü', 1, now());
  insert into probe_rounds values ('2026-03-29T01:00:00Z', 60, 1, null, 'known', 3, 0);
  insert into probe_shards values ('2026-03-29T01:00:00Z', 0, 3);
  insert into rolled_up_days values ('2026-03-29', now());
  insert into uptime_days values (1, '2026-03-29', 0, 82800, 1380, 0, null, 2147483647);
  insert into uptime_days values (1, date_trunc('year', current_date) + interval '1 year', 0, 82800, 1380, 0, null, 1);
  insert into emails (customer, address, type) values ('K', 'ü@x.test', 'mailbox');
  insert into external_domains (customer, fqdn, fqdn_ascii, domainprovider) values ('K', 'ü.test', 'xn--tda.test', '');
  insert into views (owner_id, list, name, query, column_order, column_widths, audience) values
    (1, 'webs', 'Ü', 'q=%C3%BC', '{fqdn,id}', '{"fqdn": 80}', 'everyone');
  insert into pinned_views values (1, 1);
  insert into default_views values (1, 'webs', 1);
  insert into view_evaluations (view_id, scope, language, filter, digest) values (1, '', 'de', '[["q","ü"]]', 'digest');
  insert into view_rows values (1, 'ü', 'Ü', true, null), (1, '2', 'b.test', false, now());
  insert into view_subscriptions (user_id, view_id, delivery, language, evaluation_id, seen_until) values
    (1, 1, 'daily', 'de', 1, now());
  insert into own_domains (customer, fqdn, fqdn_ascii) values ('K', 'ü.test', 'xn--tda.test');
  insert into watched_domains (name, domain, dns_due_at, mail) values ('xn--tda.test', 'xn--tda.test', now(), '{"a": "ü"}');
  insert into dns_record_sets (watched_domain_id, host, type, records, first_seen_at) values
    (1, 'xn--tda.test', 'TXT', array[E'back\\\\slash', 'NULL', ''], now());
  insert into rdap_servers values ('https://rdap.test', now(), 3);`

/** The row count and a digest of each table, and the position of each sequence. */
export async function summarizeContents({ owner: { pool } }: Pick<TestDatabase, 'owner'>) {
  const { rows: relations } = await pool.query<{ name: string; kind: string }>(
    `select relname as name, relkind as kind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S') order by relname`,
  )
  const found: Record<string, string> = {}
  for (const { name, kind } of relations) {
    // Entries about backups are in the log of one of the two databases only.
    const where = name.startsWith('log_entries') ? `where log_name <> 'backups'` : ''
    const { rows } = await pool.query<{ is: string }>(
      kind === 'S'
        ? `select last_value || ' ' || is_called as is from ${name}`
        : `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by t::text collate "C")), '') as is from ${name} t ${where}`,
    )
    found[name] = rows[0]?.is ?? ''
  }
  return found
}

/** All schema objects according to the catalogues, sorted. */
export async function describeSchema({ owner: { pool } }: Pick<TestDatabase, 'owner'>): Promise<string[]> {
  const { rows } = await pool.query<{ is: string }>(`
    select format('column %s %s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity) as is
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    union all select format('%s %s %s %s', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select format('%s %s', tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
    union all select format('%s %s %s', oid::regclass, pg_get_userbyid(relowner), relacl)
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')
    union all select format('%s %s', oid::regclass, pg_get_expr(relpartbound, oid)) from pg_class where relispartition and relkind = 'r'
    order by 1`)
  return rows.map((row) => row.is)
}
