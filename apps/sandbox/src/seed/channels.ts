import type { Transaction } from '@kustos/database/client'
import { alertChannels } from '@kustos/database/tables'

/** Adds a channel for the user on call, which is also the fallback channel. */
export async function seedChannels(db: Transaction, now: Date): Promise<void> {
  await db.insert(alertChannels).values({
    name: 'Bereitschaft',
    kind: 'mail',
    settings: { address: 'bereitschaft@kustos.test' },
    fallback: true,
    created_at: now,
    updated_at: now,
  })
}
