import { useQueryClient } from '@tanstack/react-query'

/** Asks anew for all on the screen that failed, since what failed beside it most likely failed for the same reason. */
export function useRetry(): () => void {
  const client = useQueryClient()
  return () =>
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}
