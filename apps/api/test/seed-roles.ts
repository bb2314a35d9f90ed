import { readFileSync } from 'node:fs'
import type { Permission } from '@kustos/contract/permissions'

const file = new URL('../../sandbox/src/seed/users.json', import.meta.url)
const { roles } = JSON.parse(readFileSync(file, 'utf8')) as { roles: Record<string, Permission[]> }

/** The roles of the sandbox, which are those of an agency, a role with all permissions and one with none. */
export const seedRoles: Readonly<Record<string, readonly Permission[] | 'admin'>> = {
  ...roles,
  'no rights': [],
  admin: 'admin',
}
