export { openPlesk } from './open-plesk.ts'
export * from './plesk.ts'
