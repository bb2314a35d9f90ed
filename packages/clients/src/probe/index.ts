export { openProber } from './open-prober.ts'
export type { Certificate, Probed, Prober, ProberSettings } from './prober.ts'
