export { createRepositoryCache } from './list.ts'
export { byKickDump, readRepositories } from './read.ts'
export { refreshRepositories } from './refresh.ts'
export { rememberRepository } from './repository-row.ts'
