export { repositoryOf } from './repository-name.ts'
export { type SandboxBitbucket, startBitbucket } from './server.ts'
