import type { subjectTypes } from '@kustos/contract/logs'

type SubjectType = (typeof subjectTypes)[number]

/** Where a subject's name stands, deleted or not, as SQL over the entry `l`. */
const names: Readonly<Record<SubjectType, string>> = {
  web: 'select fqdn from webs where id = l.subject_id',
  user: 'select email from users where id = l.subject_id',
  role: 'select name from roles where id = l.subject_id',
  deployment: `select kind || ' ' || fqdn from deployments where id = l.subject_id`,
  external_domain: 'select fqdn from external_domains where id = l.subject_id',
}

/** What the subject's newest entry says; it is the only one to know of a row that is gone. */
const remembered = `
  select coalesce(
    m.properties #>> '{attributes,fqdn}', m.properties #>> '{old,fqdn}',
    m.properties #>> '{attributes,name}', m.properties #>> '{old,name}')
  from log_entries m
  where m.subject_type = l.subject_type and m.subject_id = l.subject_id
  order by m.created_at desc, m.id desc limit 1`

const cases = Object.entries(names).map(([type, name]) => `when '${type}' then (${name})`)

/** What an entry's subject is called, as SQL over the entry `l`: each costs a look into one index, two where it is gone. */
export const subjectName = `case when l.subject_id is not null then
  coalesce(case l.subject_type ${cases.join(' ')} end, (${remembered})) end`
