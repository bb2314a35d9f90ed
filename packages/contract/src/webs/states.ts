export const webStatus = { active: 0, inactive: 16 } as const
export const domainStatus = { online: 1, extern: 2, offline: 3 } as const
export const domainState = { own: 1, access: 2, external: 3 } as const

export const reportingChannels = ['slack', 'mail', 'telegram'] as const
export type ReportingChannel = (typeof reportingChannels)[number]
