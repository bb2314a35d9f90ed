export { openPageFetcher } from './open-page-fetcher.ts'
export type * from './page-fetcher.ts'
