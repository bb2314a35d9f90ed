export * from './bitbucket.ts'
export { type BitbucketOptions, openBitbucket } from './client.ts'
