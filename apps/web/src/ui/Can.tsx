import { type Access, can } from '@kustos/contract/permissions'
import type { ReactNode } from 'react'
import { useUser } from '../platform/session.ts'

/** Shows its children if the user may use the route. The server enforces the permission. */
export function Can({ access, children }: { readonly access: Access; readonly children: ReactNode }) {
  return can(useUser(), access) ? children : null
}
