export * from './legacy.ts'
export { type LegacyOptions, openLegacy } from './open-legacy.ts'
export type * from './schemas.ts'
export { type LegacyName, storable } from './value-schemas.ts'
