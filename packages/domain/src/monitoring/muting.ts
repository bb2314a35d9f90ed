import { harmlessActions } from '@kustos/contract/deployment'
import type { Transaction } from '@kustos/database/client'
import { deployments, incidents } from '@kustos/database/tables'
import { and, eq, exists, gte, not, notInArray, or, type SQL } from 'drizzle-orm'

/**
 * Whether an incident is to be announced: no deployment that may take its web down runs, and none has ended since the web
 * last failed.
 */
export const isNotMuted = (tx: Transaction): SQL =>
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
