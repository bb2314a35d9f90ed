import pg from 'pg'

/**
 * What the application does its work as: it reads and writes rows, owns nothing, and can only add to the audit log
 * (drizzle/0010, docs/decisions/0014). Of the whole cluster, as roles are; each database grants it its part.
 */
const applicationRole = 'kustos_application'

/** As a connection's startup option: it costs nothing while the connection lives. */
export const asApplication = `-c role=${applicationRole}`

/** Another database of this cluster came first (duplicate_object, unique_violation, and a row changed meanwhile). */
const raced: readonly unknown[] = ['42710', '23505', 'XX000']
const insufficientPrivilege = '42501'

/**
 * Makes the role unless it is there, and lets this login act as it.
 * @throws Error with a sentence for the operator where the login may not do that
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
      if (!raced.includes(code)) throw error
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
