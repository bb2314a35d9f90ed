import type { AttentionList } from '@kustos/contract/attention'
import { Anchor, Skeleton } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { updateSearchParams } from '../../platform/search-params.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { AttentionFilters } from './AttentionFilters.tsx'
import styles from './attention.module.css'
import type { EntryTools } from './entry-tools.ts'
import { groupEntries } from './group-entries.ts'
import { KindSection } from './KindSection.tsx'
import { type AttentionFilter, rowsStep, useAttention, useAttentionFilter } from './use-attention.ts'
import { useEntryTools } from './use-entry-tools.tsx'

/** What somebody should do now, with its filters in the URL. */
export function AttentionSection() {
  const { t } = useTranslation()
  const [filter, change] = useAttentionFilter()
  const query = useAttention(filter)
  const { tools, dialog } = useEntryTools()
  return (
    <Section title={t('attention.title')}>
      <AttentionFilters filter={filter} list={query.data} onChange={change} />
      <QueryState query={query} skeleton={<ListSkeleton />}>
        {(list) => <EntryList list={list} filter={filter} tools={tools} onChange={change} />}
      </QueryState>
      {dialog}
    </Section>
  )
}

interface ListProps {
  readonly list: AttentionList
  readonly filter: AttentionFilter
  readonly tools: EntryTools
  readonly onChange: ReturnType<typeof useAttentionFilter>[1]
}

function EntryList({ list, filter: { show, kind: onlyKind, rows }, tools, onChange }: ListProps) {
  const { t } = useTranslation()
  const [params] = useSearchParams()
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
          isStepwise={onlyKind !== undefined}
          more={(label, isInRow) => {
            const next = {
              kind: group.kind,
              ...(onlyKind !== undefined && { rows: String(rows + rowsStep) }),
            }
            return (
              <Anchor
                component={Link}
                to={`?${updateSearchParams(params, next)}`}
                // As a transition, it would begin anew with each update while hundreds of rows are rendered.
                onClick={(event: MouseEvent) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
                  event.preventDefault()
                  onChange(next, { preventScrollReset: true, flushSync: true })
                }}
                className={isInRow ? undefined : styles.more}
                inherit={isInRow}
              >
                {label}
              </Anchor>
            )
          }}
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
