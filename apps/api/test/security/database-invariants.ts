import type { OpenDatabase } from '@kustos/database/client'

/** What always holds, whatever was asked of the API: each statement finds the rows that break it. */
const rules: Readonly<Record<string, string>> = {
  'somebody who may sign in is an admin': `
    select 1 where not exists (
      select 1 from users join user_roles on user_roles.user_id = users.id join roles on roles.id = user_roles.role_id
       where roles.name = 'admin' and users.deleted_at is null)`,
  'every user has a role': `
    select id from users where not exists (select 1 from user_roles where user_id = users.id)`,
  'every password is an argon2id hash': `select id from users where password_hash not like '$argon2id$%'`,
  'e-mails are one each': `select lower(email) from users group by 1 having count(*) > 1`,
  'active webs have unique names': `
    select fqdn_ascii from webs where deleted_at is null group by 1 having count(*) > 1`,
  'nothing was made in the future or changed before it was made': `
    select id from webs where created_at > now() + interval '1 minute' or updated_at < created_at
    union all select id from users where created_at > now() + interval '1 minute' or updated_at < created_at`,
  'sessions are of somebody who may sign in': `
    select number from sessions join users on users.id = sessions.user_id where users.deleted_at is not null`,
  'deployments name the web that they are about': `
    select id from deployments where kind <> 'newWeb' and web_id is null`,
  'every deployment that was asked for has its entry in the log': `
    select id from deployments where not exists (
      select 1 from log_entries where (properties->'attributes'->>'deployment')::bigint = deployments.id
         or (subject_type = 'deployment' and subject_id = deployments.id))`,
  'every active user and role that was created by a call has its entry': `
    select id from users where id > 4 and not exists (
      select 1 from log_entries where subject_type = 'user' and subject_id = users.id and description = 'created')`,
  'the log holds no password': `
    select id from log_entries where properties::text ~* 'a long pass phrase|argon2'`,
}

/** The rules that rows of the database break, with how many do. */
export async function findBrokenInvariants({ pool }: OpenDatabase): Promise<string[]> {
  const broken: string[] = []
  for (const [rule, sql] of Object.entries(rules)) {
    const { rowCount } = await pool.query(sql)
    if (rowCount) broken.push(`${rule}: ${rowCount} break it`)
  }
  return broken
}
