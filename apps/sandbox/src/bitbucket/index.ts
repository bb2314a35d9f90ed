export { repositoryOf } from './generation.ts'
export { type SandboxBitbucket, startBitbucket } from './server.ts'
