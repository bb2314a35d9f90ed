export * from './certificates.ts'
export * from './lifetime.ts'
export * from './states.ts'
