import { rotasRoutes } from '@kustos/contract/rotas'
import type { Transaction } from '@kustos/database/client'
import { listPermittedUsers } from '../users/index.ts'

export interface Responder {
  readonly id: number
  readonly name: string
  readonly email: string
}

/** The users who can be on call, by id: those who may see incidents. */
export async function readResponders(db: Transaction): Promise<ReadonlyMap<number, Responder>> {
  const found = await listPermittedUsers(db, rotasRoutes.listRotas.access.all)
  return new Map(found.map(({ id, name, email }) => [id, { id, name, email }]))
}
