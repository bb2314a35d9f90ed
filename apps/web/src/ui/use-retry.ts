import { useQueryClient } from '@tanstack/react-query'

/** Refetches all failed queries on the screen, because they usually fail for the same reason. */
export function useRetry(): () => void {
  const client = useQueryClient()
  return () =>
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}
