import { can } from '@kustos/contract/permissions'
import { websRoutes } from '@kustos/contract/webs'
import { webs } from '@kustos/database/tables'
import { isNull, type SQL } from 'drizzle-orm'
import type { Context } from './context.ts'

/** A condition on webs: users who may not restore them see nothing of deleted ones. */
export const visibleWebs = ({ actor }: Pick<Context, 'actor'>): SQL | undefined =>
  can(actor, websRoutes.restoreWeb.access) ? undefined : isNull(webs.deleted_at)
