import type { OpenDatabase } from '@kustos/database/client'

/** Rules that hold after any requests. Each statement selects the violations. */
const rules: Readonly<Record<string, string>> = {
  'there is an admin who can sign in': `
    select 1 where not exists (
      select 1 from users join user_roles on user_roles.user_id = users.id join roles on roles.id = user_roles.role_id
       where roles.name = 'admin' and users.deleted_at is null)`,
  'every user has a role': `
    select id from users where not exists (select 1 from user_roles where user_id = users.id)`,
  'every password is an argon2id hash': `select id from users where password_hash not like '$argon2id$%'`,
  'e-mails are unique': `select lower(email) from users group by 1 having count(*) > 1`,
  'active webs have unique names': `
    select fqdn_ascii from webs where deleted_at is null group by 1 having count(*) > 1`,
  'nothing was created in the future or changed before its creation': `
    select id from webs where created_at > now() + interval '1 minute' or updated_at < created_at
    union all select id from users where created_at > now() + interval '1 minute' or updated_at < created_at`,
  'sessions belong to active users': `
    select number from sessions join users on users.id = sessions.user_id where users.deleted_at is not null`,
  'deployments name their web': `
    select id from deployments where kind <> 'newWeb' and web_id is null`,
  'every requested deployment has a log entry': `
    select id from deployments where not exists (
      select 1 from log_entries where (properties->'attributes'->>'deployment')::bigint = deployments.id
         or (subject_type = 'deployment' and subject_id = deployments.id))`,
  'every user created by a call has a log entry': `
    select id from users where id > 5 and not exists (
      select 1 from log_entries where subject_type = 'user' and subject_id = users.id and description = 'created')`,
  'the log contains no password': `
    select id from log_entries where properties::text ~* 'a long pass phrase|argon2'`,
}

/** The violated rules with the number of violations. */
export async function findViolations({ pool }: OpenDatabase): Promise<string[]> {
  const violations: string[] = []
  for (const [rule, sql] of Object.entries(rules)) {
    const { rowCount } = await pool.query(sql)
    if (rowCount) violations.push(`${rule}: ${rowCount} violations`)
  }
  return violations
}
