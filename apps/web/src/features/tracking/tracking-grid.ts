import type { AttentionEntry } from '@kustos/contract/attention'
import type { WithoutConsent } from '@kustos/contract/webs'
import i18next from 'i18next'
import { serviceName } from '../../entities/tracking/service-name.ts'

export type Violations = ReadonlyMap<number, AttentionEntry>

export const violationsByWeb = (entries: readonly AttentionEntry[]): Violations =>
  new Map(entries.map((entry) => [entry.subject_id, entry]))

export const toWithoutConsent = (violations: Violations | undefined): WithoutConsent => ({
  servicesOf: ({ id }) => (violations?.get(id)?.services ?? []).map(serviceName),
  nameLater: (name) => i18next.t('gridLabels.tracking.options.before_consent.later', { name }),
})
