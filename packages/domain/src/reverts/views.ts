import { viewChange } from '@kustos/contract/views'
import { roles } from '@kustos/database/tables'
import { type Context, requireActor } from '../platform/context.ts'
import { type LoggedChange, parseLogged, rejectOutdatedRevert } from '../platform/logged-change.ts'
import { editView, loggedView, readView } from '../views/index.ts'
import { finderOf } from './find-by-name.ts'

export async function revertView(context: Context, id: number, made: LoggedChange): Promise<void> {
  const view = await readView(context.db, requireActor(context), id)
  await rejectOutdatedRevert(context, { type: 'view', id }, loggedView(view), made)
  const { role = view.role?.name ?? null, ...old } = made.old
  const existing = await context.db.select({ id: roles.id, name: roles.name }).from(roles)
  const role_id = role === null ? null : finderOf(existing, 'role_gone')(String(role))
  await editView(context, id, parseLogged(viewChange, { ...view, ...old, role_id }))
}
