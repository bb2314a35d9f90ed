import type { MaintenanceRepeat, MaintenanceWindow, NewMaintenanceWindow } from '@kustos/contract/maintenance'
import { fromLocal, toLocal } from '../../ui/rome-input.ts'

export interface WindowForm {
  readonly reason: string
  /** Ids. */
  readonly webs: string[]
  readonly nodes: string[]
  readonly customers: string[]
  readonly tags: string[]
  readonly repeats: MaintenanceRepeat
  /** As of datetime-local inputs, in Europe/Rome. */
  readonly starts_at: string
  readonly ends_at: string
  readonly weekdays: string[]
  readonly month_days: string[]
  readonly start_time: string
  readonly duration_minutes: number | null
  readonly first_day: string
  readonly last_day: string
}

/** What the address of the screen says a new window covers. */
export type Preset = Partial<Pick<WindowForm, 'webs' | 'nodes' | 'customers' | 'tags'>>

const hourMs = 3_600_000
const quarterMs = hourMs / 4

/** A window of an hour that begins with the next quarter of an hour. */
export function emptyForm(preset: Preset, now: number): WindowForm {
  const start = Math.ceil(now / quarterMs) * quarterMs
  return {
    reason: '',
    webs: [],
    nodes: [],
    customers: [],
    tags: [],
    ...preset,
    repeats: 'once',
    starts_at: toLocal(new Date(start).toISOString()),
    ends_at: toLocal(new Date(start + hourMs).toISOString()),
    weekdays: [],
    month_days: [],
    start_time: '22:00',
    duration_minutes: 60,
    first_day: '',
    last_day: '',
  }
}

export function toForm(window: MaintenanceWindow): WindowForm {
  const empty = emptyForm({}, Date.now())
  return {
    reason: window.reason,
    webs: window.webs.map(({ id }) => String(id)),
    nodes: window.nodes,
    customers: window.customers,
    tags: window.tags,
    repeats: window.repeats,
    starts_at: window.starts_at === null ? empty.starts_at : toLocal(window.starts_at),
    ends_at: window.ends_at === null ? empty.ends_at : toLocal(window.ends_at),
    weekdays: window.weekdays.map(String),
    month_days: window.month_days.map(String),
    start_time: window.start_time ?? empty.start_time,
    duration_minutes: window.duration_minutes ?? empty.duration_minutes,
    first_day: window.first_day ?? '',
    last_day: window.last_day ?? '',
  }
}

/** @param window the edited one, whose times keep their seconds unless they are changed */
export function toBody(form: WindowForm, window?: MaintenanceWindow) {
  const time = (local: string, before: string | null | undefined) =>
    before && toLocal(before) === local ? before : fromLocal(local) || null
  const targets = {
    reason: form.reason,
    webs: form.webs.map(Number),
    nodes: form.nodes,
    customers: form.customers,
    tags: form.tags,
  }
  const { repeats } = form
  if (repeats === 'once')
    return {
      ...targets,
      repeats,
      starts_at: time(form.starts_at, window?.starts_at),
      ends_at: time(form.ends_at, window?.ends_at),
    }
  return {
    ...targets,
    repeats,
    ...(repeats === 'weekly'
      ? { weekdays: form.weekdays.map(Number) }
      : { month_days: form.month_days.map(Number) }),
    start_time: form.start_time || null,
    duration_minutes: form.duration_minutes,
    first_day: form.first_day || null,
    last_day: form.last_day || null,
  } satisfies Partial<NewMaintenanceWindow>
}
