export { createRepositoryCache } from './list.ts'
export { byKickDump, readRepositories } from './read.ts'
export { endRefreshFailure, refreshRepositories } from './refresh.ts'
export { rememberRepository } from './repository-row.ts'
