/** When the next user of a rota takes over. */
export const handovers = ['weekly', 'daily'] as const
export type Handover = (typeof handovers)[number]

export const maxRotaUsers = 50
/** Of an override. */
export const maxOverrideDays = 366
/** Of a rota, without those that are over. */
export const maxRotaOverrides = 100
/** How far ahead shifts are listed. */
export const listedShiftDays = 42

export const onCallPath = '/monitoring/on-call'
