import { ActionIcon, Input, Kbd, Loader, VisuallyHidden } from '@mantine/core'
import { IconArrowLeft, IconSearch } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../platform/session.ts'
import { Failure } from '../../ui/Failure.tsx'
import { rememberWeb } from '../recent-webs.ts'
import type { EarlySearch } from './early-search.ts'
import type { PaletteEntry, RunAfterClose } from './entry.ts'
import { PaletteList } from './PaletteList.tsx'
import styles from './palette.module.css'
import { actionGroup, useActionsOf } from './use-actions-of.ts'
import { useFound } from './use-found.ts'
import { useSearchResults } from './use-search-results.ts'
import { type PaletteWeb, useWebs } from './use-webs.ts'

/** The selected web or action, with the query that found it. */
interface Selection {
  readonly query: string
  readonly web?: PaletteWeb
  readonly action?: PaletteEntry
}

/** An entry that the user has moved to. Its key finds it again when results come above it. */
interface Choice {
  readonly index: number
  readonly key?: string | undefined
}

const firstChoice: Choice = { index: 0 }

interface Props {
  readonly early: EarlySearch | undefined
  readonly run: RunAfterClose
}

/** The search field and its results. After a web its actions are selected, after an action a web. */
export function PaletteContent({ early, run }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const list = useId()
  const [query, setQuery] = useState(early?.query ?? '')
  const [selection, setSelection] = useState<Selection | null>(null)
  const [choice, setChoice] = useState(firstChoice)
  const source = useWebs()
  const { web, action } = selection ?? {}
  const actionsOf = useActionsOf(source.webs?.nodes, run)
  const found = useFound(query, selection === null)
  const results = useSearchResults({
    query,
    source,
    found,
    action: action?.key ?? null,
    onWeb: chooseWeb,
    onAction: (wanted) => select({ action: wanted, query }),
    actionsOf,
    run,
  })
  const groups = web === undefined ? results : actionGroup(web, actionsOf(web), query)
  const entries = groups.flatMap((group) => group.entries)
  const foundCount = groups.some(({ isFallback }) => isFallback) ? 0 : entries.length
  const kept = entries.findIndex(({ key }) => key === choice.key)
  const active = kept === -1 ? Math.min(choice.index, entries.length - 1) : kept
  const choose = (index: number) => setChoice({ index, key: entries[index]?.key })
  const isSearching = found.isSearching && entries.length === 0
  const isLoading = source.isLoading || isSearching
  const loadingText = t(source.isLoading ? 'palette.loading' : 'palette.searching')

  /** The query at which Enter was pressed before there were results: its best one is selected then. */
  const [enteredQuery, setEnteredQuery] = useState(early?.enteredQuery ?? null)
  const mustChoose = enteredQuery === query && !isLoading
  const chooseActive = useEffectEvent(() => {
    setEnteredQuery(null)
    entries[active]?.onSelect()
  })
  useEffect(() => {
    if (mustChoose) chooseActive()
  }, [mustChoose])

  const field = useRef<HTMLInputElement>(null)
  const isEarly = early !== undefined
  useLayoutEffect(() => {
    // Before the next key; Mantine focuses the field later.
    if (isEarly) field.current?.focus()
  }, [isEarly])

  function search(next: string) {
    setQuery(next)
    // A new search starts at its first result.
    setChoice(firstChoice)
  }
  function chooseWeb(wanted: PaletteWeb) {
    if (user !== null) rememberWeb(user.id, wanted.id)
    const entry = actionsOf(wanted).find(({ key }) => key === action?.key)
    // If the action does not apply to this web, those that do are shown.
    if (entry === undefined) select({ web: wanted, query })
    else entry.onSelect()
  }
  function select(next: Selection) {
    setSelection(next)
    search('')
  }
  function back() {
    if (selection === null) return
    search(selection.query)
    setSelection(null)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const { length } = entries
    const isWaiting = isLoading && selection === null && query.trim() !== '' && active <= 0
    if (event.key === 'Backspace' && query === '' && selection !== null) back()
    else if (event.key === 'Enter' && isWaiting) setEnteredQuery(query)
    else if (length === 0) return
    else if (event.key === 'ArrowDown') choose((active + 1) % length)
    else if (event.key === 'ArrowUp') choose((active - 1 + length) % length)
    else if (event.key === 'Enter') entries[active]?.onSelect()
    else return
    event.preventDefault()
  }

  const idOf = (index: number) => `${list}-${index}`
  const placeholder =
    action !== undefined
      ? t('palette.placeholderOfAction', { action: action.label })
      : t(web === undefined ? 'palette.placeholder' : 'palette.placeholderOfWeb')
  const label = web === undefined ? placeholder : `${web.fqdn}: ${placeholder}`
  return (
    <>
      <Input
        ref={field}
        size="lg"
        classNames={{ input: styles.field }}
        value={query}
        onChange={(event) => search(event.currentTarget.value)}
        role="combobox"
        aria-label={label}
        aria-expanded={entries.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? idOf(active) : undefined}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        leftSection={
          selection === null ? (
            <IconSearch size={16} aria-hidden="true" />
          ) : (
            <ActionIcon aria-label={t('palette.back')} onClick={back}>
              <IconArrowLeft size={16} />
            </ActionIcon>
          )
        }
        rightSection={isLoading ? <Loader size={16} aria-hidden="true" /> : undefined}
        onKeyDown={onKeyDown}
      />
      {source.error !== null && (
        <div className={styles.failure}>
          <Failure
            error={source.error}
            onRetry={source.retry}
            retrying={source.isRetrying}
            stale={source.webs !== undefined}
          />
        </div>
      )}
      <PaletteList id={list} groups={groups} active={active} idOf={idOf} onActive={choose} />
      {(isLoading || groups.length === 0) && (
        <p className={styles.blank}>{isLoading ? loadingText : t('palette.nothing', { query })}</p>
      )}
      {found.hasFailed && <p className={styles.incomplete}>{t('palette.incomplete')}</p>}
      <VisuallyHidden role="status">
        {isLoading ? loadingText : t('palette.found', { count: foundCount })}
      </VisuallyHidden>
      <Keys hasBack={selection !== null} />
    </>
  )
}

function Keys({ hasBack }: { readonly hasBack: boolean }) {
  const { t } = useTranslation()
  const keys = [
    ['↑↓', 'move'],
    ['↵', 'choose'],
    ...(hasBack ? ([['⌫', 'back']] as const) : []),
    ['Esc', 'close'],
  ] as const
  return (
    <div className={styles.keys} aria-hidden="true">
      {keys.map(([key, does]) => (
        <span key={key}>
          <Kbd size="xs">{key}</Kbd> {t(`palette.keys.${does}`)}
        </span>
      ))}
    </div>
  )
}
