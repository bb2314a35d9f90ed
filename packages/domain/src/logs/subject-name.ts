import type { subjectTypes } from '@kustos/contract/logs'

type SubjectType = (typeof subjectTypes)[number]

/** The SQL of a subject's name, even if it is deleted; `l` is the entry. */
const names: Readonly<Record<SubjectType, string>> = {
  web: 'select fqdn from webs where id = l.subject_id',
  user: 'select email from users where id = l.subject_id',
  role: 'select name from roles where id = l.subject_id',
  deployment: `select kind || ' ' || fqdn from deployments where id = l.subject_id`,
  external_domain: 'select fqdn from external_domains where id = l.subject_id',
}

/** The name in the newest entry of the subject, for rows that no longer exist. */
const remembered = `
  select coalesce(
    m.properties #>> '{attributes,fqdn}', m.properties #>> '{old,fqdn}',
    m.properties #>> '{attributes,name}', m.properties #>> '{old,name}')
  from log_entries m
  where m.subject_type = l.subject_type and m.subject_id = l.subject_id
  order by m.created_at desc, m.id desc limit 1`

const cases = Object.entries(names).map(([type, name]) => `when '${type}' then (${name})`)

/** The SQL of the name of an entry's subject. Takes one index lookup for each entry, or two if the subject is gone. */
export const subjectName = `case when l.subject_id is not null then
  coalesce(case l.subject_type ${cases.join(' ')} end, (${remembered})) end`
