export { openRepositoryList, type RepositoryList } from './list.ts'
export { readRepositories, type Sync } from './read.ts'
export { refreshRepositories } from './refresh.ts'
export { rememberRepository } from './remember.ts'
