import { deployments, webs } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'

/** Selects webs whose request has not succeeded yet. Such a web must not become active, even if Plesk has it already. */
export const isProvisioning = sql<boolean>`exists (
  select from ${deployments} where ${deployments.web_id} = ${webs.id}
    and ${deployments.kind} = 'newWeb' and ${deployments.state} <> 'succeeded')`
