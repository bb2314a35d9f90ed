import type { RotaOverride, Shift } from '@kustos/contract/rotas'
import { expect, it } from 'vitest'
import { findUnlistedOverrides } from './find-unlisted-overrides.ts'

const anna = { id: 1, name: 'Anna', email: 'anna@agency.test' }
const ben = { id: 2, name: 'Ben', email: 'ben@agency.test' }
const override = (id: number, user: typeof anna, from: string, to: string): RotaOverride => ({
  id,
  user,
  from,
  to,
  note: null,
  created_by: null,
})
const shift = (user: typeof anna, from: string, to: string, override_id: number | null): Shift => ({
  user,
  from,
  to,
  override_id,
})

it('are those that no listed shift shows, so that they can be seen and deleted, too', () => {
  const replaced = override(5, anna, '2026-11-21T08:00:00Z', '2026-11-21T20:00:00Z')
  const shown = override(6, ben, '2026-11-21T08:00:00Z', '2026-11-21T20:00:00Z')
  const later = override(7, ben, '2027-03-01T08:00:00Z', '2027-03-08T08:00:00Z')
  const rota = {
    now: shift(anna, '2026-11-20T08:00:00Z', '2026-11-21T08:00:00Z', null),
    next: [shift(ben, '2026-11-21T08:00:00Z', '2026-11-21T20:00:00Z', 6)],
    overrides: [replaced, shown, later],
  }
  expect(findUnlistedOverrides(rota)).toEqual([replaced, later])
  expect(findUnlistedOverrides({ ...rota, now: null, next: [] })).toEqual(rota.overrides)
})
