export { openRegistrar, type RegistrarOptions } from './open-registrar.ts'
export * from './registrar.ts'
export type { RegistrarDomain, RegistrarMailbox } from './schemas.ts'
