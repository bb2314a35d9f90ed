export { openPageFetcher } from './open-page-fetcher.ts'
export type {
  Asking,
  Fetched,
  PageFetcher,
  PageFetcherSettings,
  Seen,
  Unseen,
  Visit,
} from './page-fetcher.ts'
