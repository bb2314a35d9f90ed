import type { Transaction } from '@kustos/database/client'
import { alertRoutes } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'

/** The name of the first alert route that names a channel or a rota; null if none does. */
export async function findRouteUsing(
  db: Transaction,
  what: 'channels' | 'rotas',
  id: number,
): Promise<string | null> {
  const [route] = await db
    .select({ name: alertRoutes.name })
    .from(alertRoutes)
    .where(sql`${alertRoutes.steps} @> ${JSON.stringify([{ [what]: [id] }])}::jsonb`)
    .orderBy(alertRoutes.position)
    .limit(1)
  return route?.name ?? null
}
