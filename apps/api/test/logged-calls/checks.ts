import type { BuildCalls, LoggedCall } from './call.ts'

/** The entry of a change of the path. */
const changed = (type: string, id: number, params: LoggedCall['params']): LoggedCall => ({
  ...(params && { params }),
  body: { path: '/status' },
  entry: {
    log_name: 'checks',
    description: 'check changed',
    subject_type: type,
    subject_id: id,
    properties: { old: { path: null }, attributes: { path: '/status' } },
  },
})

export const checksCalls: BuildCalls = (fixtures) => ({
  'checks.editWebCheck': async () => {
    const { id } = await fixtures.web()
    return changed('web', id, { id })
  },
  'checks.editCustomerCheck': async () => {
    const { id, code } = await fixtures.customer()
    return changed('customer', id, { code })
  },
  'checks.editTagCheck': async () => {
    const { id } = await fixtures.tag()
    return changed('tag', id, { id })
  },
})
