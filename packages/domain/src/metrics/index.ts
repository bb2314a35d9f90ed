export { checkMetricsAccess } from './access.ts'
export { type Figures, openFigures } from './figures.ts'
export { watchFigures } from './gauges.ts'
export { openRegistry, watchPool } from './registry.ts'
