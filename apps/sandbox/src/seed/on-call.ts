import type { Transaction } from '@kustos/database/client'
import { alertRoutes, rotaOverrides, rotas } from '@kustos/database/tables'

const dayMs = 24 * 3_600_000

/** A weekly rota with an override, and a route that alerts it of webs with the best contract outside of office hours. */
export async function seedOnCall(db: Transaction, users: readonly number[], now: Date): Promise<void> {
  const [rota] = await db
    .insert(rotas)
    .values({
      name: 'Nacht und Wochenende',
      user_ids: [...users],
      handover: 'weekly',
      weekday: 1,
      time: '09:00',
      first_day: new Date(now.getTime() - 14 * dayMs).toISOString().slice(0, 10),
      created_at: now,
      updated_at: now,
    })
    .returning({ id: rotas.id })
  const last = users.at(-1)
  if (rota === undefined || last === undefined) return
  const hour = new Date(now).setMinutes(0, 0, 0)
  await db.insert(rotaOverrides).values({
    rota_id: rota.id,
    user_id: last,
    starts_at: new Date(hour + 9 * dayMs),
    ends_at: new Date(hour + 10 * dayMs),
    note: 'Arzttermin',
    created_by: last,
    created_at: now,
  })
  const step = { channels: [], rotas: [rota.id] }
  await db.insert(alertRoutes).values({
    name: 'Gold außerhalb der Bürozeiten',
    position: 1,
    is_active: true,
    customers: [],
    tags: ['contract:gold'],
    node_ids: [],
    severities: ['outage', 'down'],
    weekdays: [],
    from_time: '18:00',
    to_time: '08:00',
    replaces_channels: false,
    continues: true,
    steps: [
      { ...step, after_minutes: 0 },
      { ...step, after_minutes: 15 },
    ],
    created_at: now,
    updated_at: now,
  })
}
