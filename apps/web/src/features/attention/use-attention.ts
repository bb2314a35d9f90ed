import {
  type AttentionKind,
  type AttentionList,
  attentionKinds,
  attentionRoutes,
  attentionStates,
} from '@kustos/contract/attention'
import type { CallInput } from '@kustos/contract/route'
import { keepPreviousData } from '@tanstack/react-query'
import { useRoute } from '../../platform/query.ts'
import { useUpdatableSearchParams } from '../../platform/search-params.ts'
import { refreshDelayMs } from './refresh-delay.ts'

/** `mine` are the open ones that are assigned to the user. */
export const shownStates = ['open', 'mine', ...attentionStates.filter((state) => state !== 'open')] as const
export type ShownState = (typeof shownStates)[number]

export interface AttentionFilter {
  readonly show: ShownState
  readonly kind: AttentionKind | undefined
  /** How many entries of one kind are shown. */
  readonly rows: number
}

/** Entries of each kind if all kinds are shown. */
export const rowsPerKind = 5
/** By how many more entries of one kind are shown, since each takes a browser milliseconds. */
export const rowsStep = 100
/** As many as the server lists at most. */
const maxRows = 10_000

/** The filter in the URL. */
export function useAttentionFilter() {
  const [params, update] = useUpdatableSearchParams()
  const filter: AttentionFilter = {
    show: shownStates.find((state) => state === params.get('show')) ?? 'open',
    kind: attentionKinds.find((kind) => kind === params.get('kind')),
    rows: Math.min(maxRows, Math.max(rowsStep, Math.trunc(Number(params.get('rows')) || 0))),
  }
  return [filter, update] as const
}

/** Entries that were listed before stay the same objects, also when more are asked for: their rows are not rendered again. */
const sharePrevious = (list: AttentionList) => list

/** The open entries of a customer or of a node. @param rows how many of each kind */
export const useEntriesOf = (of: { readonly customer: string } | { readonly node: string }, rows: number) =>
  useList({ ...of, limit: String(rows) })

/** The list, which is also read again when time alone changes it. */
export function useAttention({ show, kind, rows }: AttentionFilter) {
  return useList({
    limit: String(kind === undefined ? rowsPerKind : rows),
    ...(show === 'mine' ? { mine: '1' } : show !== 'open' && { state: show }),
    ...(kind !== undefined && { kind }),
  })
}

function useList(query: NonNullable<CallInput<typeof attentionRoutes.listAttention>['query']>) {
  return useRoute<typeof attentionRoutes.listAttention, AttentionList>(
    attentionRoutes.listAttention,
    { query },
    {
      placeholderData: keepPreviousData,
      select: sharePrevious,
      refetchInterval: ({ state }) => refreshDelayMs(state.data?.changes_at ?? null, Date.now()),
    },
  )
}
