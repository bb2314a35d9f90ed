export { LegacyError } from './errors.ts'
export { type Legacy, type LegacyOptions, openLegacy } from './open-legacy.ts'
export type * from './schemas.ts'
export { type LegacyName, storable } from './value-schemas.ts'
