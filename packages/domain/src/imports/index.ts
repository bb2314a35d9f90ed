export type { ImportReport } from '../platform/csv-import.ts'
export { importWebs } from './import-webs.ts'
export { importLegacy, type LegacyImport } from './legacy/import-legacy.ts'
export { type LegacyLine, type LegacyPart, type LegacyReport, legacyParts } from './legacy/report.ts'
