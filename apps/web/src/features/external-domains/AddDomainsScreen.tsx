import { comparedDomain, domainLines, externalDomainsRoutes } from '@kustos/contract/external-domains'
import { limitisRoutes } from '@kustos/contract/limitis'
import { can } from '@kustos/contract/permissions'
import { Alert, Button, Textarea, TextInput } from '@mantine/core'
import { IconInfoCircle, IconPlaylistX } from '@tabler/icons-react'
import {
  type FormEvent,
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { draftOf, keepDraft } from '../../platform/drafts.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { useStaleList } from '../../platform/stale-list.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { focusFirst } from '../../ui/contract-form/focus.ts'
import { useDraft, useDraftKey } from '../../ui/contract-form/use-draft.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import styles from './add.module.css'
import { LineList, type Show } from './LineList.tsx'
import { countsOf, isToSend, isValid, shownLines, spanOfLine, textOf } from './lines.ts'
import { listPath } from './paths.ts'
import { Report, Running } from './Running.tsx'
import { useAdding } from './use-adding.ts'
import { useSharedFields } from './use-shared-fields.ts'

const { listExternalDomains } = externalDomainsRoutes
const none: ReadonlySet<string> = new Set()
const empty = { text: '', customer: '', domainprovider: '' }

/** Must match add.module.css. */
const lineHeight = 20

export function AddDomainsScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const maySee = can(useUser(), listExternalDomains.access)
  const draftKey = useDraftKey()
  const [draft] = useState(() => draftOf(draftKey, empty)?.mine)
  const root = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(draft?.text ?? '')
  const latest = useRef(text)
  const write = useCallback((next: string) => {
    latest.current = next
    setText(next)
  }, [])
  useUnsavedGuard(useCallback(() => latest.current.trim() !== '', []))

  const sharedFields = useSharedFields(draft)
  const typed = () => ({ base: {}, mine: { text: latest.current, ...sharedFields.values } })
  useDraft(draftKey, () => (latest.current.trim() === '' ? null : typed()))
  const [show, setShow] = useState<Show>('all')
  const listed = useListed(maySee)
  const own = useOwn()
  /** Domains added here, which the list may not contain yet. */
  const [addedHere, setAddedHere] = useState(none)
  /** The list before the run: domains that it adds are not duplicates. */
  const [listedBefore, setListedBefore] = useState<ReadonlySet<string> | null>(null)
  const known = useMemo(
    () => new Set([...(listedBefore ?? listed), ...addedHere]),
    [listed, listedBefore, addedHere],
  )

  const { add, stop, progress, failures, outcome } = useAdding((domains) => {
    const before = domainLines(latest.current)
    write(textOf(before, (line) => isValid(line) && domains.has(comparedDomain(line.fqdn))))
    setAddedHere((others) => new Set([...others, ...domains]))
  })

  // Large texts are checked when there is time.
  const deferredText = useDeferredValue(text)
  const lines = useMemo(() => domainLines(deferredText, known, own), [deferredText, known, own])
  const shown = useMemo(() => shownLines(lines, failures), [lines, failures])
  const counts = useMemo(() => countsOf(shown), [shown])
  const isRunning = progress !== null

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    if (isRunning) return
    const current = domainLines(latest.current, known, own)
    const worthSending = new Set(
      shownLines(current, failures)
        .filter(isToSend)
        .map(({ line }) => line),
    )
    const toSend = current.filter(isValid).filter(({ line }) => worthSending.has(line))
    const body = sharedFields.check()
    if (body === null) return focusFirst(root.current, ['customer', 'domainprovider'])
    if (toSend.length === 0) return field.current?.focus()
    setListedBefore(listed)
    const came = await add(toSend, body)
    setListedBefore(null)
    if (came.obstacle?.status === 401) {
      keepDraft(draftKey, typed())
      return
    }
    // If lines are left, a report says what was added.
    if (came.added > 0 && came.failed === 0 && came.unsent === 0)
      notifyDone(t('limitis.add.added', { count: came.added }), t('limitis.add.done'))
    if (latest.current.trim() === '') {
      if (maySee) void navigate(listPath)
    } else if (came.failed > 0) setShow('trouble')
  }

  const goTo = useCallback((line: number) => {
    const input = field.current
    if (input === null) return
    input.focus()
    input.setSelectionRange(...spanOfLine(input.value, line))
    input.scrollTop = Math.max(0, line * lineHeight - input.clientHeight / 2)
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event)
  }

  return (
    <>
      <BackLink to={maySee ? listPath : '/'} label={t('limitis.add.back')} />
      <PageHeader title={t('limitis.add.title')} />
      <form ref={root} noValidate onSubmit={(event) => void submit(event)} className={styles.form}>
        {draft !== undefined && (
          <Alert variant="outline" role="status" p="sm" icon={<IconInfoCircle size={16} />}>
            {t('limitis.add.draft')}
          </Alert>
        )}
        <div className={styles.belonging}>
          <TextInput
            {...sharedFields.field('customer')}
            label={t('limitis.external.fields.customer')}
            readOnly={isRunning}
          />
          <TextInput
            {...sharedFields.field('domainprovider')}
            label={t('limitis.external.fields.domainprovider')}
            description={
              sharedFields.errors.domainprovider === undefined
                ? t('limitis.external.hints.domainprovider')
                : undefined
            }
            readOnly={isRunning}
          />
        </div>
        <div className={styles.domains}>
          <Textarea
            ref={field}
            label={t('limitis.add.domains')}
            description={t('limitis.add.domainsHint', { key: 'Ctrl+Enter' })}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            value={text}
            onChange={({ currentTarget }) => write(currentTarget.value)}
            onKeyDown={onKeyDown}
            readOnly={isRunning}
            wrap="off"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            classNames={{ root: styles.field, label: styles.label, input: styles.input }}
          />
          <LineList lines={shown} counts={counts} show={show} onShow={setShow} onGoTo={goTo} />
        </div>
        {outcome !== null && !isRunning && latest.current !== '' && (
          <Report outcome={outcome} onAgain={() => void submit()} />
        )}
        <div className={styles.end}>
          <Button type="submit" loading={isRunning} disabled={counts.valid === 0}>
            {t('limitis.add.submit', { count: counts.valid })}
          </Button>
          {counts.known > 0 && !isRunning && (
            <Button
              variant="default"
              leftSection={<IconPlaylistX size={16} />}
              onClick={() => {
                const isKnown = ['duplicate', 'listed']
                write(
                  textOf(domainLines(latest.current, known, own), ({ verdict }) => isKnown.includes(verdict)),
                )
                field.current?.focus()
              }}
            >
              {t('limitis.add.dropKnown')}
            </Button>
          )}
          {progress !== null && <Running {...progress} onStop={stop} />}
        </div>
      </form>
    </>
  )
}

/** Own domains, if the user may see them; the server checks in any case. */
function useOwn(): ReadonlySet<string> {
  const maySee = can(useUser(), limitisRoutes.listOwnDomains.access)
  const { data } = useStaleList(limitisRoutes.listOwnDomains, {}, { enabled: maySee })
  return useMemo(
    () => (data === undefined ? none : new Set(data.list.map(({ fqdn }) => comparedDomain(fqdn)))),
    [data],
  )
}

/** The listed external domains in normalized form; empty without permission. */
function useListed(maySee: boolean): ReadonlySet<string> {
  const { data } = useRoute(listExternalDomains, {}, { enabled: maySee })
  return useMemo(
    () => (data === undefined ? none : new Set(data.map(({ fqdn }) => comparedDomain(fqdn)))),
    [data],
  )
}
