import type { ExternalDomain } from '@kustos/contract/external-domains'
import { storedText } from '../../platform/message-text.ts'
import type { Texts } from '../../ui/data-grid/types.ts'

type DomainCheck = Pick<ExternalDomain, 'check_error' | 'check_error_code' | 'check_error_params'>

/** Why a domain could not be checked, in the user's language; null if it could. */
export const checkErrorText = (row: DomainCheck) =>
  row.check_error && storedText(row.check_error, row.check_error_code, row.check_error_params)

/** Sentences of the domain lists. */
export const domainTexts: Texts<DomainCheck> = { check_error: checkErrorText }
