import { deployments, webs } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'

/** A condition on webs: whether the request that makes it is not done. Plesk may have it by then; it must not look finished. */
export const isHalfMade = sql<boolean>`exists (
  select from ${deployments} where ${deployments.web_id} = ${webs.id}
    and ${deployments.kind} = 'newWeb' and ${deployments.state} <> 'succeeded')`
