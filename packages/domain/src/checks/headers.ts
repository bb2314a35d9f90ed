import type { CheckHeader } from '@kustos/contract/checks'
import { message } from '@kustos/contract/messages'
import { invalid } from '../platform/errors.ts'
import type { SecretBox } from '../platform/secret-box.ts'

const purposeOf = (check: number, { name }: CheckHeader) => `header ${name.toLowerCase()} of check ${check}`

/**
 * Seals the values that are given; those that are null stay as they are stored.
 * @param box null if no key for secrets is configured
 * @throws DomainError invalid without a box, and for a new header without a value
 */
export const sealHeaders = (
  box: SecretBox | null,
  check: number,
  given: readonly CheckHeader[],
  stored: readonly CheckHeader[],
): CheckHeader[] =>
  given.map((header) => {
    if (header.value !== null) {
      if (box === null) throw invalid({ headers: message('secrets_key_missing') })
      return { ...header, value: box.seal(header.value, purposeOf(check, header)) }
    }
    const known = stored.find(({ name }) => name.toLowerCase() === header.name.toLowerCase())
    if (known === undefined)
      throw invalid({ headers: message('check_header_value_missing', { name: header.name }) })
    return { ...header, value: known.value }
  })

/** @returns null if one of them was sealed with a key that is no longer configured */
export function openHeaders(
  box: SecretBox | null,
  check: number,
  sealed: readonly CheckHeader[],
): { readonly name: string; readonly value: string }[] | null {
  const opened = sealed.flatMap((header) => {
    const value = box?.open(header.value ?? '', purposeOf(check, header)) ?? null
    return value === null ? [] : [{ name: header.name, value }]
  })
  return opened.length === sealed.length ? opened : null
}
