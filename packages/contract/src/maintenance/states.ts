import { tonedOptions } from '../grid/columns.ts'

/** How often a maintenance window takes place. */
export const maintenanceRepeats = ['once', 'weekly', 'monthly'] as const
export type MaintenanceRepeat = (typeof maintenanceRepeats)[number]

/** `past` if it will not take place again. */
export const maintenanceStates = ['running', 'upcoming', 'past'] as const
export type MaintenanceState = (typeof maintenanceStates)[number]

export const maintenanceStateOptions = tonedOptions({ running: 'orange', upcoming: 'green', past: 'grey' })

/** Nodes, customers or tags. */
export const maxMaintenanceNames = 1_000
/** Of a window that takes place once. */
export const maxMaintenanceDays = 366
/** Of each occurrence of a recurring one. */
export const maxMaintenanceMinutes = 7 * 24 * 60

export const maintenancePath = '/monitoring/maintenance'
