import { attentionKinds } from '@kustos/contract/attention'
import { type GridLabels, type GridName, gib } from '@kustos/contract/grid'
import type { LogEntry } from '@kustos/contract/logs'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldName } from '../../platform/field-name.ts'
import { logNameText, requestNameText } from './description-text.ts'
import type { ValueLabels } from './format-value.ts'

/** The grids whose columns name the fields of each type of subject. */
const gridOf: Readonly<Record<string, GridName>> = {
  web: 'webs',
  user: 'users',
  batch: 'batches',
  external_domain: 'domains',
  customer: 'customers',
  node: 'nodes',
  tag: 'tags',
  third_party: 'thirdParties',
  tracking_policy: 'thirdParties',
}

export function createValueLabels(t: TFunction, subjectType: string | null): ValueLabels {
  const grid = gridOf[subjectType ?? '']
  const labels: GridLabels = grid ? t(`gridLabels.${grid}`, { returnObjects: true }) : { columns: {} }
  // The policy has a decision for each category.
  const isPolicy = subjectType === 'tracking_policy'
  return {
    yes: t('logs.values.yes'),
    no: t('logs.values.no'),
    none: '–',
    bytes: (bytes) => t('logs.values.bytes', { gib: bytes / gib }),
    nameOf(field, value) {
      if (typeof value !== 'number' && typeof value !== 'string') return undefined
      // What an export contains is named like the log about it.
      if (field === 'export') return logNameText(t, String(value))
      const kind = attentionKinds.find((name) => field === 'kind' && name === value)
      return kind === undefined
        ? labels.options?.[isPolicy ? 'decision' : field]?.[value]
        : t(`attention.kinds.${kind}`)
    },
    labelOf: (field) =>
      (isPolicy ? labels.options?.category?.[field] : labels.columns[field]) ?? fieldName(t, field),
  }
}

/** The labels of an entry that names what some of its fields have the ids of. */
export function withNames(t: TFunction, labels: ValueLabels, names: LogEntry['names']): ValueLabels {
  if (names === null) return labels
  return {
    ...labels,
    nameOf: (field, value) => {
      const name = names[field]
      if (name === undefined) return labels.nameOf(field, value)
      // The name of a batch ends with its id.
      return `${String(value)} (${requestNameText(t, name.replace(` ${String(value)}`, ''))})`
    },
  }
}

/** Names the fields of log entries and their codes as the subject's list does, by the type of the subject. */
export function useValueLabels(): (subjectType: string | null) => ValueLabels {
  const { t } = useTranslation()
  return useMemo(() => {
    const known = new Map<string | null, ValueLabels>()
    return (subjectType) => {
      const words = known.get(subjectType) ?? createValueLabels(t, subjectType)
      known.set(subjectType, words)
      return words
    }
  }, [t])
}
