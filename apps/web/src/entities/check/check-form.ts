import { type Check, type CheckChange, type CheckField, defaultCheck } from '@kustos/contract/checks'

export interface HeaderForm {
  readonly name: string
  /** Empty for the stored one. */
  readonly value: string
}

/** Null where a field is inherited. */
export type CheckForm = {
  -readonly [Field in Exclude<CheckField, 'headers'>]: Check['own'][Field]
} & { headers: readonly HeaderForm[] | null }

/** The fields that a batch changes; undefined where it leaves one, null where it is inherited again. */
export type ManyForm = Partial<Omit<CheckForm, 'headers'>>

export const emptyHeader: HeaderForm = { name: '', value: '' }

export const toForm = ({ own }: Check): CheckForm => ({
  ...own,
  headers: own.headers?.map((name) => ({ name, value: '' })) ?? null,
})

export const toBody = ({ headers, ...settings }: CheckForm, { updated_at }: Check): CheckChange => ({
  ...settings,
  headers:
    headers
      ?.filter(({ name, value }) => name.trim() !== '' || value !== '')
      .map(({ name, value }) => ({ name, value: value === '' ? null : value })) ?? null,
  updated_at,
})

/** What a field begins with when it is set: what applies so far. */
export function initialValue(field: CheckField, check?: Check): CheckForm[CheckField] {
  if (field === 'headers') return [emptyHeader]
  return check?.effective[field] ?? (defaultCheck[field] as CheckForm[CheckField])
}
