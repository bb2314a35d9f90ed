import type { LogDescription } from '@kustos/contract/log-words'
import { findLastChange } from '../platform/audit.ts'
import type { Scope } from '../platform/context.ts'
import { conflict } from '../platform/errors.ts'
import type { LoggedChange } from '../platform/logged-change.ts'

/**
 * Rejects the revert of a change of a value after which it was changed again, whatever it is now.
 * @param by the entries of such changes, which all change this field
 * @throws DomainError conflict, which names who changed it last
 */
export async function rejectUnlessLast(
  scope: Pick<Scope, 'db'>,
  subject: { readonly type: string; readonly id: number },
  { id }: LoggedChange,
  by: readonly LogDescription[],
  field: string,
): Promise<void> {
  const { id: last, who, at } = await findLastChange(scope, subject, by)
  if (last !== id) throw conflict('change_outdated', { who, at, fields: field })
}
