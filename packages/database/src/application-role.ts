import pg from 'pg'

/**
 * The role that the application works as: it reads and writes rows, owns nothing, and can only append to the audit log
 * (drizzle/0010, docs/decisions/0014). Roles belong to the cluster; each database grants its own rights.
 */
export const applicationRole = 'kustos_application'

/** A startup option of connections, which costs no query. */
export const asApplication = `-c role=${applicationRole}`

/** Another database of the cluster was faster: duplicate_object, unique_violation, or a concurrent update. */
const raceCodes: readonly unknown[] = ['42710', '23505', 'XX000']
const insufficientPrivilege = '42501'

/**
 * Creates the role if it is missing, and lets this login act as it.
 * @throws Error with a sentence for the operator if the login lacks the right
 */
export async function ensureApplicationRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string }>('select current_user as login')
  const login = client.escapeIdentifier(rows[0]?.login ?? '')
  const statements = [
    `create role ${applicationRole} nologin`,
    `grant ${applicationRole} to ${login} with inherit false, set true`,
  ]
  for (let attempt = 0; attempt < 5; attempt++) {
    const missing = await missingFrom(client)
    if (missing === null) return
    try {
      await client.query(statements[missing === 'the role' ? 0 : 1] ?? '')
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      if (code === insufficientPrivilege)
        throw new Error(
          `The login ${login} may not make the role that Kustos works as. Let a superuser run beforehand: ${statements.join('; ')};`,
          { cause: error },
        )
      if (!raceCodes.includes(code)) throw error
    }
  }
  throw new Error(`The role ${applicationRole} could not be made`)
}

async function missingFrom(client: pg.Client): Promise<'the role' | 'the membership' | null> {
  const { rows } = await client.query<{ usable: boolean }>(
    "select pg_has_role(current_user, oid, 'set') as usable from pg_roles where rolname = $1",
    [applicationRole],
  )
  const [role] = rows
  if (!role) return 'the role'
  return role.usable ? null : 'the membership'
}
