import { ActionIcon, Input, Kbd, Loader, VisuallyHidden } from '@mantine/core'
import { IconArrowLeft, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../platform/session.ts'
import { Failure } from '../../ui/Failure.tsx'
import { rememberWeb } from '../recent-webs.ts'
import type { PaletteEntry, RunAfterClose } from './entry.tsx'
import { PaletteList } from './PaletteList.tsx'
import styles from './palette.module.css'
import { actionGroup, useActionsOf } from './use-actions-of.tsx'
import { useFound } from './use-found.tsx'
import { type PaletteWeb, useWebs } from './use-webs.ts'

/** A web that was chosen, or what to do with one; and what had been typed to find it. */
type Chosen = { readonly query: string } & ({ readonly web: PaletteWeb } | { readonly action: PaletteEntry })

/**
 * The field, and what it finds; a web that is chosen gives way to what can be done with it, and what to do to the webs.
 */
export function PaletteContent({ run }: { readonly run: RunAfterClose }) {
  const { t } = useTranslation()
  const user = useUser()
  const list = useId()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [place, setPlace] = useState({ query, chosen, index: 0 })
  const source = useWebs()
  const web = chosen !== null && 'web' in chosen ? chosen.web : null
  const action = chosen !== null && 'action' in chosen ? chosen.action : null
  const actionsOf = useActionsOf(source.webs?.nodes, run)
  const found = useFound({
    query,
    source,
    action: action?.key ?? null,
    onWeb: choose,
    onAction: (wanted) => goOn({ action: wanted, query }),
    actionsOf,
    run,
  })
  const groups = web === null ? found : actionGroup(web, actionsOf(web), query)
  const entries = groups.flatMap((group) => group.entries)
  // A new search starts at its first result.
  const asked = place.query === query && place.chosen === chosen ? place.index : 0
  const active = Math.min(asked, entries.length - 1)

  /** Enter was pressed before the webs were there: the best of all that is found is meant. */
  const [awaiting, setAwaiting] = useState<string | null>(null)
  const isAwaited = awaiting === query && !source.isLoading
  const chooseFirst = useEffectEvent(() => {
    setAwaiting(null)
    entries[active]?.choose()
  })
  useEffect(() => {
    if (isAwaited) chooseFirst()
  }, [isAwaited])

  const moveTo = (index: number) => setPlace({ query, chosen, index })
  function choose(found: PaletteWeb) {
    if (user !== null) rememberWeb(user.id, found.id)
    const entry = actionsOf(found).find(({ key }) => key === action?.key)
    // Where the action does not apply to this web, those that do are shown.
    if (entry === undefined) goOn({ web: found, query })
    else entry.choose()
  }
  function goOn(next: Chosen) {
    setChosen(next)
    setQuery('')
  }
  function back() {
    if (chosen === null) return
    setQuery(chosen.query)
    setChosen(null)
  }

  function onKeyDown(event: KeyboardEvent) {
    const isEarly = source.isLoading && chosen === null && query.trim() !== '' && active <= 0
    if (event.key === 'Enter' && isEarly && !event.nativeEvent.isComposing) {
      event.preventDefault()
      setAwaiting(query)
      return
    }
    if (event.nativeEvent.isComposing || entries.length === 0) {
      if (event.key === 'Backspace' && query === '') back()
      return
    }
    const { length } = entries
    if (event.key === 'ArrowDown') moveTo((active + 1) % length)
    else if (event.key === 'ArrowUp') moveTo((active - 1 + length) % length)
    else if (event.key === 'Enter') entries[active]?.choose()
    else if (event.key === 'Backspace' && query === '' && chosen !== null) back()
    else return
    event.preventDefault()
  }

  const idOf = (index: number) => `${list}-${index}`
  const placeholder =
    action !== null
      ? t('palette.placeholderOfAction', { action: action.label })
      : t(web === null ? 'palette.placeholder' : 'palette.placeholderOfWeb')
  const label = web === null ? placeholder : `${web.fqdn}: ${placeholder}`
  return (
    <>
      <Input
        size="lg"
        classNames={{ input: styles.field }}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
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
          chosen === null ? (
            <IconSearch size={16} aria-hidden="true" />
          ) : (
            <ActionIcon aria-label={t('palette.back')} onClick={back}>
              <IconArrowLeft size={16} />
            </ActionIcon>
          )
        }
        rightSection={source.isLoading ? <Loader size={16} aria-hidden="true" /> : undefined}
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
      <PaletteList id={list} groups={groups} active={active} idOf={idOf} onActive={moveTo} />
      {(source.isLoading || groups.length === 0) && (
        <p className={styles.blank}>
          {source.isLoading ? t('palette.loading') : t('palette.nothing', { query })}
        </p>
      )}
      <VisuallyHidden role="status">
        {source.isLoading ? t('palette.loading') : t('palette.found', { count: entries.length })}
      </VisuallyHidden>
      <Keys hasBack={chosen !== null} />
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
