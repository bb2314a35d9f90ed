import type { BuildCalls, LoggedCall } from './call.ts'

/** The entry of a change of the consent tool. */
const changed = (type: string, id: number, params: LoggedCall['params']): LoggedCall => ({
  ...(params && { params }),
  body: { consent_tool: 'Usercentrics' },
  entry: {
    log_name: 'tracking',
    description: 'contract changed',
    subject_type: type,
    subject_id: id,
    properties: { old: { consent_tool: null }, attributes: { consent_tool: 'Usercentrics' } },
  },
})

export const trackingContractsCalls: BuildCalls = (fixtures) => ({
  'tracking-contracts.editCustomerContract': async () => {
    const { id, code } = await fixtures.customer()
    return changed('customer', id, { code })
  },
  'tracking-contracts.editWebContract': async () => {
    const { id } = await fixtures.web()
    return changed('web', id, { id })
  },
  'tracking-contracts.agreeToDifference': async () => {
    const { web, difference } = await fixtures.trackingDifference()
    return {
      params: { id: web },
      body: { difference, scope: 'web' },
      entry: {
        log_name: 'tracking',
        description: 'contract changed',
        subject_type: 'web',
        subject_id: web,
        properties: { old: { gtm: ['GTM-ABC123'] }, attributes: { gtm: [] } },
      },
    }
  },
  'tracking-contracts.allowDifference': async () => {
    const { web, difference } = await fixtures.trackingDifference()
    const until = '2026-12-24T12:00:00.000Z'
    return {
      params: { id: web },
      body: { difference, scope: 'web', until, reason: 'Agreed by phone' },
      entry: {
        log_name: 'tracking',
        description: 'difference allowed',
        subject_type: 'web',
        subject_id: web,
        properties: { attributes: { difference: 'GTM is missing', until, reason: 'Agreed by phone' } },
      },
    }
  },
  'tracking-contracts.endException': async () => {
    const { web, exception } = await fixtures.trackingDifference()
    return {
      params: { id: web, exception },
      entry: { log_name: 'tracking', description: 'exception ended', subject_type: 'web', subject_id: web },
    }
  },
})
