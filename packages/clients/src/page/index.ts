export { openPageFetcher } from './open-page-fetcher.ts'
export type {
  Fetched,
  FetchOptions,
  FetchOutcome,
  PageFetcher,
  PageFetcherSettings,
  Unseen,
  Visit,
} from './page-fetcher.ts'
