import {
  type Check,
  type CheckField,
  type CheckSource,
  checkFields,
  defaultCheck,
  type EffectiveCheck,
} from '@kustos/contract/checks'
import type { StoredCheck } from '@kustos/database/tables'

/** Settings of one subject. */
export interface CheckLevel {
  readonly kind: CheckSource
  /** Of the tag or the customer. */
  readonly name: string | null
  /** Of the row. */
  readonly id: number
  readonly settings: StoredCheck
}

/** The level that a field comes from; undefined for the default. @param levels those that take precedence first */
export const levelOf = (levels: readonly CheckLevel[], field: CheckField): CheckLevel | undefined =>
  levels.find(({ settings }) => settings[field] !== undefined)

/** The settings that apply, without values of headers. */
export function mergeLevels(levels: readonly CheckLevel[]): Pick<Check, 'effective' | 'sources'> {
  const found = checkFields.map((field) => [field, levelOf(levels, field)] as const)
  return {
    effective: Object.fromEntries(
      found.map(([field, level]) => [
        field,
        level === undefined ? defaultCheck[field] : shown(level.settings)[field],
      ]),
    ) as unknown as EffectiveCheck,
    sources: Object.fromEntries(
      found.map(([field, level]) => [field, { kind: level?.kind ?? 'default', name: level?.name ?? null }]),
    ) as Check['sources'],
  }
}

/** Settings as users and the audit log see them: null where they are inherited, and only the names of headers. */
export const shown = ({ headers, ...settings }: StoredCheck): Check['own'] => ({
  ...noSettings,
  ...settings,
  headers: headers?.map(({ name }) => name) ?? null,
})

const noSettings = Object.fromEntries(checkFields.map((field) => [field, null])) as Check['own']
