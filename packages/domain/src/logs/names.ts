import type { subjectTypes } from '@kustos/contract/logs'

/** The SQL of a subject's name, even if it is deleted; `l` is the entry. */
const subjectNames: Readonly<Record<(typeof subjectTypes)[number], string>> = {
  web: 'select fqdn from webs where id = l.subject_id',
  user: 'select email from users where id = l.subject_id',
  role: 'select name from roles where id = l.subject_id',
  deployment: `select kind || ' ' || fqdn from deployments where id = l.subject_id`,
  batch: `select action || ' ' || id from batches where id = l.subject_id`,
  external_domain: 'select fqdn from external_domains where id = l.subject_id',
  domain: 'select name from watched_domains where id = l.subject_id',
  customer: 'select code from customers where id = l.subject_id',
  node: 'select name from nodes where id = l.subject_id',
  tag: 'select name from tags where id = l.subject_id',
  // There is one of each, which the type names.
  tracking_policy: 'select null::text',
  alert_route_order: 'select null::text',
  third_party: 'select host from third_party_classifications where id = l.subject_id',
  alert_channel: 'select name from alert_channels where id = l.subject_id',
  maintenance_window: 'select reason from maintenance_windows where id = l.subject_id',
  alert_route: 'select name from alert_routes where id = l.subject_id',
  rota: 'select name from rotas where id = l.subject_id',
  view: 'select name from views where id = l.subject_id',
  incident: `select coalesce(w.fqdn, n.name) from incidents i left join webs w on w.id = i.web_id
    left join nodes n on n.id = i.node_id where i.id = l.subject_id`,
}

/** The name in the newest entry of the subject, for rows that no longer exist. */
const remembered = `
  select coalesce(
    m.properties #>> '{attributes,fqdn}', m.properties #>> '{old,fqdn}',
    m.properties #>> '{attributes,name}', m.properties #>> '{old,name}',
    m.properties #>> '{attributes,code}', m.properties #>> '{old,code}')
  from log_entries m
  where m.subject_type = l.subject_type and m.subject_id = l.subject_id
  order by m.created_at desc, m.id desc limit 1`

const cases = Object.entries(subjectNames).map(([type, name]) => `when '${type}' then (${name})`)

/** The SQL of the name of an entry's subject. Takes one index lookup for each entry, or two if the subject is gone. */
export const subjectName = `case when l.subject_id is not null then
  coalesce(case l.subject_type ${cases.join(' ')} end, (${remembered})) end`

/** The SQL of an id among the new values; null if a field of this name has none. */
function idOf(field: string): string {
  const value = `l.properties #>> '{attributes,${field}}'`
  return `case when ${value} ~ '^[1-9]\\d{0,8}$' then (${value})::int end`
}

/** The SQL of the names of what fields have the id of, by the field. */
const namesOfFields: Readonly<Record<string, string>> = {
  deployment: `select kind || ' ' || fqdn from deployments where id = ${idOf('deployment')}`,
  batch: `select action || ' ' || id from batches where id = ${idOf('batch')}`,
  reverts_batch: `select action || ' ' || id from batches where id = ${idOf('reverts_batch')}`,
}

/** The SQL of an entry's `names`. */
export const idNames = `nullif(json_strip_nulls(json_build_object(
  ${Object.entries(namesOfFields)
    .map(([field, name]) => `'${field}', (${name})`)
    .join(', ')}))::text, '{}')::json`
