import type { AttentionList } from '@kustos/contract/attention'
import { Skeleton } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { useNow } from '../../ui/use-now.ts'
import { AttentionFilters } from './AttentionFilters.tsx'
import styles from './attention.module.css'
import { groupEntries } from './group-entries.ts'
import { KindSection } from './KindSection.tsx'
import { type AttentionFilter, useAttention, useAttentionFilter } from './use-attention.ts'
import type { Target } from './use-handling.tsx'
import { type DialogAction, useHandlingActions } from './use-handling-actions.ts'
import { useNextActions } from './use-next-actions.tsx'

const HandlingDialog = lazy(async () => ({ default: (await import('./HandlingDialog.tsx')).HandlingDialog }))

/** What somebody should do now, with its filters in the URL. */
export function AttentionSection() {
  const { t } = useTranslation()
  const [filter, change] = useAttentionFilter()
  const query = useAttention(filter)
  const [dialog, setDialog] = useState<{ action: DialogAction; target: Target }>()
  return (
    <Section title={t('attention.title')}>
      <AttentionFilters filter={filter} list={query.data} onChange={change} />
      <QueryState query={query} skeleton={<ListSkeleton />}>
        {(list) => (
          <EntryList
            list={list}
            filter={filter}
            openDialog={(action, target) => setDialog({ action, target })}
          />
        )}
      </QueryState>
      {dialog && (
        <Suspense>
          <HandlingDialog {...dialog} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </Section>
  )
}

interface ListProps {
  readonly list: AttentionList
  readonly filter: AttentionFilter
  readonly openDialog: (action: DialogAction, target: Target) => void
}

function EntryList({ list, filter: { show, kind }, openDialog }: ListProps) {
  const { t } = useTranslation()
  const tools = {
    now: useNow(10_000),
    nextActions: useNextActions(),
    handling: useHandlingActions(openDialog),
  }
  if (list.data.length === 0)
    return (
      <EmptyState
        icon={IconCircleCheck}
        title={t(`attention.empty.${show}`)}
        {...(show === 'open' && { hint: t('attention.empty.openHint') })}
      />
    )
  return (
    <div className={styles.kinds}>
      {groupEntries(list.data).map((group) => (
        <KindSection
          key={group.kind}
          group={group}
          total={list.kinds[group.kind] ?? 0}
          tools={tools}
          isOnlyKind={kind !== undefined}
        />
      ))}
    </div>
  )
}

const ListSkeleton = () => (
  <div aria-busy className={styles.kinds}>
    {/* As high as most lists, so that what follows is below the fold. */}
    {Array.from({ length: 12 }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they never move
      <Skeleton key={row} h={44} />
    ))}
  </div>
)
