import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  keepTurn,
  type Override,
  onCallAt,
  type RotaSchedule,
  shiftsWithin,
} from '../../src/rotas/on-call.ts'

const weekly: RotaSchedule = {
  users: [1, 2, 3],
  handover: 'weekly',
  weekday: 1,
  time: '09:00',
  // A Wednesday.
  first_day: '2026-11-18',
}
const daily: RotaSchedule = { ...weekly, handover: 'daily', weekday: null, time: '02:30' }
const all = new Set([1, 2, 3])
const override = (id: number, user_id: number, from: string, to: string): Override => ({
  id,
  user_id,
  starts_at: new Date(from),
  ends_at: new Date(to),
})
const userAt = (rota: RotaSchedule, at: string, overrides: readonly Override[] = [], available = all) =>
  onCallAt(rota, overrides, available, new Date(at))?.user

describe('who is on call', () => {
  test.each([
    ['2026-11-18T07:59:59Z', undefined],
    ['2026-11-18T08:00:00Z', 1],
    ['2026-11-23T07:59:59Z', 1],
    ['2026-11-23T08:00:00Z', 2],
    ['2026-11-30T08:00:00Z', 3],
    ['2026-12-07T08:00:00Z', 1],
  ])('at %s is %s, weekly', (at, user) => expect(userAt(weekly, at)).toBe(user))

  test('skips those who cannot be, and is nobody without any', () => {
    const at = '2026-11-18T08:00:00Z'
    expect(userAt(weekly, at, [], new Set([2, 3]))).toBe(2)
    expect(userAt(weekly, '2026-11-30T08:00:00Z', [], new Set([1]))).toBe(1)
    expect(userAt(weekly, at, [], new Set())).toBeNull()
  })

  test('is the user of the newest override that runs, even before the start', () => {
    const first = override(1, 3, '2026-11-17T10:00:00Z', '2026-11-18T12:00:00Z')
    const second = override(2, 2, '2026-11-18T09:00:00Z', '2026-11-18T10:00:00Z')
    expect(userAt(weekly, '2026-11-17T10:00:00Z', [first])).toBe(3)
    expect(userAt(weekly, '2026-11-18T09:30:00Z', [second, first])).toBe(2)
    expect(userAt(weekly, '2026-11-18T10:00:00Z', [second, first])).toBe(3)
    expect(userAt(weekly, '2026-11-18T12:00:00Z', [second, first])).toBe(1)
    expect(userAt(weekly, '2026-11-18T09:30:00Z', [second, first], new Set([1, 3]))).toBe(3)
  })

  test('has shifts without gaps, of which equal ones are joined', () => {
    const at = (text: string) => new Date(text)
    const swap = override(7, 3, '2026-11-20T10:00:00Z', '2026-11-21T10:00:00Z')
    expect(
      shiftsWithin(weekly, [swap], new Set([1, 3]), at('2026-11-01T00:00:00Z'), at('2026-12-01T00:00:00Z')),
    ).toEqual([
      { user: 1, from: at('2026-11-18T08:00:00Z'), to: at('2026-11-20T10:00:00Z'), override: null },
      { user: 3, from: at('2026-11-20T10:00:00Z'), to: at('2026-11-21T10:00:00Z'), override: 7 },
      { user: 1, from: at('2026-11-21T10:00:00Z'), to: at('2026-11-23T08:00:00Z'), override: null },
      { user: 3, from: at('2026-11-23T08:00:00Z'), to: at('2026-12-07T08:00:00Z'), override: null },
    ])
  })
})

const minuteMs = 60_000
const shown = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Rome',
  dateStyle: 'short',
  timeStyle: 'short',
})
const local = (at: number) => shown.format(at)

/** Each minute of the nights around a change of the clocks, as they show it. */
const minutesOf = (from: string, to: string) => {
  const minutes: { at: number; day: string; clock: string }[] = []
  for (let at = Date.parse(from); at < Date.parse(to); at += minuteMs) {
    const [day = '', clock = ''] = local(at).split(' ')
    minutes.push({ at, day, clock })
  }
  return minutes
}

/**
 * Walks through the minutes: a hand-over takes place in the first one of a day in which clocks show the time, or an hour later if they
 * skip it.
 */
function turns(minutes: ReturnType<typeof minutesOf>, { time, weekday, first_day }: RotaSchedule): number[] {
  let [handovers, handed] = [-1, '']
  return minutes.map(({ day, clock }) => {
    const isSkipped = !minutes.some((other) => other.day === day && other.clock === time)
    const due = isSkipped ? `${String(Number(time.slice(0, 2)) + 1).padStart(2, '0')}${time.slice(2)}` : time
    if (day >= first_day && handed !== day && clock === due) {
      handed = day
      const isDay = weekday === null || (new Date(day).getUTCDay() || 7) === weekday
      if (handovers === -1 || isDay) handovers += 1
    }
    return handovers
  })
}

test.each([
  ['forward', '2026-03-27T22:00:00Z', '2026-03-31T00:00:00Z', '2026-03-28'],
  ['back', '2026-10-23T22:00:00Z', '2026-10-27T00:00:00Z', '2026-10-24'],
])(
  'the nights around the change %s have the hand-overs of a slow clock, to the minute',
  (_, from, to, first_day) => {
    const minutes = minutesOf(from, to)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1439 }),
        fc.constantFrom(null, 1, 6, 7),
        fc.integer({ min: 1, max: 3 }),
        (minute, weekday, count) => {
          const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
          const users = [1, 2, 3].slice(0, count)
          const handover = weekday === null ? 'daily' : 'weekly'
          const rota: RotaSchedule = { users, handover, weekday, time, first_day }
          const expected = turns(minutes, rota)
          for (const [index, { at }] of minutes.entries()) {
            const turn = expected[index] ?? -1
            const found = onCallAt(rota, [], all, new Date(at))?.user
            if (found !== (turn === -1 ? undefined : users[turn % count]))
              throw new Error(`${time} ${weekday}: ${found} at ${local(at)}, turn ${turn}`)
          }
        },
      ),
      { numRuns: 40 },
    )
  },
)

test('shifts say the same as who is on call at each time', () => {
  const start = Date.parse('2026-10-20T00:00:00Z')
  const hour = 60 * minuteMs
  const someOverride = fc.record({
    user: fc.integer({ min: 1, max: 4 }),
    from: fc.integer({ min: 0, max: 400 }),
    length: fc.integer({ min: 1, max: 100 }),
  })
  fc.assert(
    fc.property(fc.array(someOverride, { maxLength: 5 }), fc.constantFrom(weekly, daily), (given, rota) => {
      const began = { ...rota, first_day: '2026-10-22' }
      const overrides = given.map(({ user, from, length }, index) => ({
        id: index + 1,
        user_id: user,
        starts_at: new Date(start + from * hour),
        ends_at: new Date(start + (from + length) * hour),
      }))
      const to = start + 500 * hour
      const shifts = shiftsWithin(began, overrides, all, new Date(start), new Date(to))
      for (let at = start; at < to; at += hour / 2) {
        const shift = shifts.find((one) => +one.from <= at && +one.to > at)
        const found = onCallAt(began, overrides, all, new Date(at))
        expect(shift?.user).toBe(found?.user)
        expect(shift?.override).toBe(found?.override)
      }
    }),
    { numRuns: 30 },
  )
})

describe('other users', () => {
  const at = (day: number) => new Date(Date.parse('2026-11-18T10:00:00Z') + day * 86_400_000)

  test.each([weekly, daily])('keep who is on call, and then take turns in their order', (rota) => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1 })
    const everyone = new Set([1, 2, 3, 4, 5, 6])
    fc.assert(
      fc.property(ids, ids, fc.nat(200), (before, after, day) => {
        const old = { ...rota, users: before }
        const current = onCallAt(old, [], everyone, at(day))
        const kept = { ...rota, users: after, first_day: keepTurn(old, after, everyone, at(day)) }
        const place = after.indexOf(current?.user ?? 0)
        if (place === -1) expect(kept.first_day).toBe(rota.first_day)
        else {
          const now = onCallAt(kept, [], everyone, at(day))
          expect([now?.user, now?.to]).toEqual([current?.user, current?.to])
          expect(onCallAt(kept, [], everyone, now?.to ?? at(day))?.user).toBe(
            after[(place + 1) % after.length],
          )
        }
      }),
    )
  })

  test('change nothing before the start, and if they need no other first day', () => {
    expect(keepTurn(weekly, [3, 2, 1], all, new Date('2026-11-01T00:00:00Z'))).toBe('2026-11-18')
    expect(keepTurn(weekly, [1, 2, 3, 4], all, at(0))).toBe('2026-11-18')
    expect(keepTurn(weekly, [1, 2, 3, 4], all, at(7 * 4))).toBe('2026-12-07')
  })
})
