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
import { useRoute } from '../../app/query.ts'
import { useUser } from '../../app/session.ts'
import { useStaleList } from '../../app/stale-list.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { keepDraft } from '../../ui/contract-form/drafts.ts'
import { focusFirst } from '../../ui/contract-form/focus.ts'
import { useKeptDraft } from '../../ui/contract-form/use-kept-draft.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import styles from './add.module.css'
import { LineList, type Show } from './LineList.tsx'
import { countsOf, isToSend, isValid, shownLines, spanOfLine, textOf } from './lines.ts'
import { listPath } from './paths.ts'
import { Report, Running } from './Running.tsx'
import { useAdding } from './use-adding.ts'
import { useBelonging } from './use-belonging.ts'
import { useDraft } from './use-draft.ts'

const { listExternalDomains } = externalDomainsRoutes
const none: ReadonlySet<string> = new Set()

/** In pixels, as add.module.css has it. */
const lineHeight = 20

/** Many external domains at once: one line each, judged while it is typed, and sent one by one. */
export function AddDomainsScreen() {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const maySee = can(useUser(), listExternalDomains.access)
  const { draft, owner } = useDraft()
  const root = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(draft?.text ?? '')
  const latest = useRef(text)
  const write = useCallback((next: string) => {
    latest.current = next
    setText(next)
  }, [])
  useUnsavedGuard(useCallback(() => latest.current.trim() !== '', []))

  const belonging = useBelonging(draft)
  const typed = () => ({ base: {}, mine: { text: latest.current, ...belonging.values } })
  useKeptDraft(owner, () => (latest.current.trim() === '' ? null : typed()))
  const [show, setShow] = useState<Show>('all')
  const listed = useListed(maySee)
  const own = useOwn()
  /** What was added here: the list may not have it yet, or may not be this user's to see. */
  const [addedHere, setAddedHere] = useState(none)
  /** During a run the list grows by lines that are about to leave the field: they are no duplicates. */
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

  // Typing comes first; a thousand lines are judged when there is time.
  const judged = useDeferredValue(text)
  const lines = useMemo(() => domainLines(judged, known, own), [judged, known, own])
  const shown = useMemo(() => shownLines(lines, failures), [lines, failures])
  const counts = useMemo(() => countsOf(shown), [shown])
  const formatted = counts.valid.toLocaleString(i18n.language)
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
    const body = belonging.check()
    if (body === null) return focusFirst(root.current, ['customer', 'domainprovider'])
    if (toSend.length === 0) return field.current?.focus()
    setListedBefore(listed)
    const came = await add(toSend, body)
    setListedBefore(null)
    if (came.obstacle?.status === 401) {
      keepDraft({ owner, ...typed() })
      return
    }
    // Where lines are left behind, a report says what was added.
    if (came.added > 0 && came.failed === 0 && came.unsent === 0)
      notifyDone(
        t('limitis.add.added', { count: came.added, formatted: came.added.toLocaleString(i18n.language) }),
        t('limitis.add.done'),
      )
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
            {...belonging.field('customer')}
            label={t('limitis.external.fields.customer')}
            readOnly={isRunning}
          />
          <TextInput
            {...belonging.field('domainprovider')}
            label={t('limitis.external.fields.domainprovider')}
            description={
              belonging.errors.domainprovider === undefined
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
            {t('limitis.add.submit', { count: counts.valid, formatted })}
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

/** Our own domains, where the user may see them; the server knows them in any case. */
function useOwn(): ReadonlySet<string> {
  const maySee = can(useUser(), limitisRoutes.listOwnDomains.access)
  const { data } = useStaleList(limitisRoutes.listOwnDomains, {}, { enabled: maySee })
  return useMemo(
    () => (data === undefined ? none : new Set(data.list.map(({ fqdn }) => comparedDomain(fqdn)))),
    [data],
  )
}

/** The external domains that there are, in the form in which they are compared; none for those who may not see them. */
function useListed(maySee: boolean): ReadonlySet<string> {
  const { data } = useRoute(listExternalDomains, {}, { enabled: maySee })
  return useMemo(
    () => (data === undefined ? none : new Set(data.map(({ fqdn }) => comparedDomain(fqdn)))),
    [data],
  )
}
