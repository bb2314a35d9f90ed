import { webContractChange } from '@kustos/contract/tracking-contracts'
import { customers } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { type LoggedChange, parseLogged, rejectOutdatedRevert } from '../platform/logged-change.ts'
import {
  editCustomerContract,
  editWebContract,
  findContract,
  toSettings,
} from '../tracking-contracts/index.ts'

/** Takes the change of a tracking contract back, by the type of its subject. */
export const revertContractOf =
  (type: 'web' | 'customer') =>
  async (context: Context, id: number, made: LoggedChange): Promise<void> => {
    const known = await findContract(context.db, { type, id }, false)
    const settings = toSettings(known?.settings ?? {})
    await rejectOutdatedRevert(context, { type, id }, { ...settings }, made, ['contract changed'])
    const updated_at = known?.updated_at.toISOString() ?? null
    const input = parseLogged(webContractChange, { ...settings, ...made.old, updated_at })
    if (type === 'web') return editWebContract(context, id, input)
    const [customer] = await context.db
      .select({ code: customers.code })
      .from(customers)
      .where(eq(customers.id, id))
    if (!customer) throw notFound('log_subject_not_found')
    await editCustomerContract(context, customer.code, input)
  }
