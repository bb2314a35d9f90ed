export { sandboxRepositoryName } from './repository-name.ts'
export { type SandboxBitbucket, startBitbucket } from './server.ts'
