import { type AttentionList, attentionKinds } from '@kustos/contract/attention'
import { Button, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { type SearchParamChanges, updateSearchParams } from '../../platform/search-params.ts'
import styles from './attention.module.css'
import { type AttentionFilter, shownStates } from './use-attention.ts'

interface Props {
  readonly filter: AttentionFilter
  /** Undefined while loading. */
  readonly list: AttentionList | undefined
  readonly onChange: (changes: SearchParamChanges) => void
}

export function AttentionFilters({ filter, list, onChange }: Props) {
  const { t, i18n } = useTranslation()
  const [params] = useSearchParams()
  const kinds = attentionKinds.filter((kind) => list?.kinds[kind] !== undefined || kind === filter.kind)
  return (
    <div className={styles.filters}>
      <nav aria-label={t('attention.filters')} className={styles.states}>
        {shownStates.map((state) => {
          const count = list?.counts[state]
          const isCurrent = state === filter.show
          const search = updateSearchParams(params, { show: state === 'open' ? null : state, rows: null })
          return (
            <Button
              key={state}
              component={Link}
              to={`?${search}`}
              preventScrollReset
              size="xs"
              variant={isCurrent ? 'filled' : 'default'}
              aria-current={isCurrent}
            >
              {t(`attention.show.${state}`)}{' '}
              {count !== undefined && (
                <span className={styles.count}>{count.toLocaleString(i18n.language)}</span>
              )}
            </Button>
          )
        })}
      </nav>
      <NativeSelect
        size="xs"
        aria-label={t('attention.kind')}
        value={filter.kind ?? ''}
        onChange={({ currentTarget }) => onChange({ kind: currentTarget.value || null, rows: null })}
        data={[
          { value: '', label: t('attention.allKinds') },
          ...kinds.map((kind) => ({ value: kind, label: t(`attention.kinds.${kind}`) })),
        ]}
      />
    </div>
  )
}
