export * from './bitbucket.ts'
export { type BitbucketOptions, openBitbucket } from './open-bitbucket.ts'
export type { BitbucketRepository } from './schemas.ts'
