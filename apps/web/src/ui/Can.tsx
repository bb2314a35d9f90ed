import { type Access, can } from '@kustos/contract/permissions'
import type { ReactNode } from 'react'
import { useUser } from '../app/session.ts'

interface Props {
  /** A route's `access`, as the contract states it. */
  readonly access: Access
  readonly children: ReactNode
}

/** Shows its children to those whom the contract lets use a route. The server decides all the same. */
export function Can({ access, children }: Props) {
  return can(useUser(), access) ? children : null
}
