export type { Minute, SiteBehaviour } from './behaviour.ts'
export { type BehavingSites, startBehavingSites } from './sites.ts'
export { siteBehaviours } from './table.ts'
