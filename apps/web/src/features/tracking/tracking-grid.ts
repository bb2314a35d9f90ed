import type { AttentionEntry } from '@kustos/contract/attention'
import type { GridDefinition } from '@kustos/contract/grid'
import { trackingColumnsAt, type Web } from '@kustos/contract/webs'
import i18next from 'i18next'
import { serviceName } from '../../entities/tracking/service-name.ts'
import { laterServices } from './consent-text.ts'

export type Violations = ReadonlyMap<number, AttentionEntry>

export const violationsByWeb = (entries: readonly AttentionEntry[]): Violations =>
  new Map(entries.map((entry) => [entry.subject_id, entry]))

/** What a web requests before consent, and what only later without it. */
export function servicesOf(
  { id, tracking_data: tracking }: Web,
  violations: Violations | undefined,
): readonly string[] {
  const before = tracking?.before_consent ?? []
  const services = violations?.get(id)?.services ?? []
  return [...before, ...laterServices(before, services.map(serviceName), i18next.t)]
}

/** The tracking list as it is shown, so that what it shows is found. @param now in Unix seconds */
export function trackingGridAt(now: number, violations: Violations | undefined): GridDefinition<Web> {
  const definition = trackingColumnsAt(now)
  const columns = definition.columns.map((column) =>
    column.key === 'before_consent'
      ? { ...column, value: (web: Web) => servicesOf(web, violations) }
      : column,
  )
  return { ...definition, columns }
}
