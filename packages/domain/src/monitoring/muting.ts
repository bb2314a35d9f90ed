import { harmlessActions } from '@kustos/contract/deployment'
import type { Transaction } from '@kustos/database/client'
import { deployments, incidents } from '@kustos/database/tables'
import { and, eq, exists, gte, not, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { isInMaintenance } from '../maintenance/index.ts'

/**
 * Whether an incident is to be announced: its web is not in maintenance, no deployment that may take it down runs, and none has
 * ended since it last failed.
 */
export const isNotMuted = (tx: Transaction, now: Date): SQL =>
  sql`${not(isInMaintenance(sql`${incidents.web_id}`, now))} and ${isNotDeployed(tx)}`

const isNotDeployed = (tx: Transaction): SQL =>
  not(
    exists(
      tx
        .select({ id: deployments.id })
        .from(deployments)
        .where(
          and(
            eq(deployments.web_id, incidents.web_id),
            notInArray(deployments.kind, [...harmlessActions]),
            or(eq(deployments.state, 'running'), gte(deployments.ended_at, incidents.last_failed_at)),
          ),
        ),
    ),
  )
