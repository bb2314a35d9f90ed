import { maintenanceWindowChange } from '@kustos/contract/maintenance'
import { webs } from '@kustos/database/tables'
import { and, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { editWindow, listWindows } from '../maintenance/index.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { type LoggedChange, parseLogged, rejectOutdatedRevert } from '../platform/logged-change.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { finderOf } from './find-by-name.ts'

const loggedWebs = z.object({ webs: z.array(z.string()).optional() })

export async function revertWindow(context: Context, id: number, made: LoggedChange): Promise<void> {
  const window = (await listWindows(context, {})).find((one) => one.id === id)
  if (!window) throw notFound('maintenance_window_not_found', { id })
  const now = { ...window, webs: window.webs.map(({ fqdn }) => fqdn) }
  await rejectOutdatedRevert(context, { type: 'maintenance_window', id }, now, made)
  const { webs: names } = parseLogged(loggedWebs, made.old)
  const ids =
    names === undefined ? window.webs.map((web) => web.id) : names.map(await findWebs(context, names))
  await editWindow(context, id, parseLogged(maintenanceWindowChange, { ...window, ...made.old, webs: ids }))
}

async function findWebs(context: Context, names: readonly string[]) {
  const rows = await context.db
    .select({ id: webs.id, name: webs.fqdn, deleted_at: webs.deleted_at })
    .from(webs)
    .where(and(inArray(webs.fqdn, [...names]), visibleWebs(context)))
  const active = rows.filter(({ deleted_at }) => deleted_at === null)
  const taken = new Set(active.map(({ name }) => name))
  // A deleted web whose name another one has since is not meant.
  return finderOf([...active, ...rows.filter(({ name }) => !taken.has(name))], 'web_gone', 'web_ambiguous')
}
