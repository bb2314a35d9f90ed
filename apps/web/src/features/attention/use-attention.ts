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
  /** Without a bound, of one kind. */
  readonly all: boolean
}

/** Entries of each kind if all kinds are shown, and of one kind before "Show all". */
const limits = { perKind: 5, ofOneKind: 100, all: 10_000 } as const

/** The filter in the URL. */
export function useAttentionFilter() {
  const [params, update] = useUpdatableSearchParams()
  const filter: AttentionFilter = {
    show: shownStates.find((state) => state === params.get('show')) ?? 'open',
    kind: attentionKinds.find((kind) => kind === params.get('kind')),
    all: params.get('all') === '1',
  }
  return [filter, update] as const
}

/** The open entries of a customer or of a node. @param isAll without a bound */
export const useEntriesOf = (of: { readonly customer: string } | { readonly node: string }, isAll: boolean) =>
  useList({ ...of, limit: String(isAll ? limits.all : limits.perKind) })

/** The list, which is also read again when time alone changes it. */
export function useAttention({ show, kind, all }: AttentionFilter) {
  const limit = kind === undefined ? limits.perKind : all ? limits.all : limits.ofOneKind
  return useList({
    limit: String(limit),
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
      refetchInterval: ({ state }) => refreshDelayMs(state.data?.changes_at ?? null, Date.now()),
    },
  )
}
