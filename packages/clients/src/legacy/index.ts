export * from './legacy.ts'
export { type LegacyOptions, openLegacy } from './open-legacy.ts'
export { storable } from './value-schemas.ts'
