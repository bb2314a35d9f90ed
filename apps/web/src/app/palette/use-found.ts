import { type Found, maxSearchLength, minSearchLength, searchRoutes } from '@kustos/contract/search'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useRoute } from '../../platform/query.ts'

const typingPauseMs = 150
const none: readonly Found[] = []

export interface FoundOnServer {
  readonly entries: readonly Found[]
  readonly isSearching: boolean
  readonly hasFailed: boolean
}

/**
 * What the server finds for a query. While it searches, the entries of the previous query that match this one, too.
 * @param enabled whether the palette searches for anything but webs
 */
export function useFound(query: string, enabled: boolean): FoundOnServer {
  const wanted = query.trim()
  const [sent] = useDebouncedValue(wanted, typingPauseMs)
  const { data, isPlaceholderData, isError } = useRoute(
    searchRoutes.search,
    { query: { q: sent } },
    {
      enabled: enabled && isSearchable(sent),
      placeholderData: keepPreviousData,
      // Fails at once, even offline, since the palette waits for it if the browser finds nothing itself.
      retry: false,
      networkMode: 'always',
    },
  )
  if (!enabled || !isSearchable(wanted)) return { entries: none, isSearching: false, hasFailed: false }
  const isCurrent = sent === wanted && !isPlaceholderData
  const entries = data?.data ?? none
  return {
    entries: isCurrent ? entries : entries.filter((entry) => stillMatches(entry, wanted)),
    isSearching: !(isCurrent && (data !== undefined || isError)),
    hasFailed: isCurrent && isError,
  }
}

const isSearchable = ({ length }: string) => length >= minSearchLength && length <= maxSearchLength

const stillMatches = ({ label, hint }: Found, query: string) =>
  [label, hint].some((text) => text.toLowerCase().includes(query.toLowerCase()))
