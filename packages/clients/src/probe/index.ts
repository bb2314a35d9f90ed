export { connectTo, type Place } from './connect-to.ts'
export { type Look, openProbe, type Probe, type ProbeSettings, userAgent } from './probe.ts'
