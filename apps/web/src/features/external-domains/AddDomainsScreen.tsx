import { externalDomainsRoutes, normalizeDomain, parseDomainLines } from '@kustos/contract/external-domains'
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
import { CustomerPicker } from '../../entities/customer/CustomerPicker.tsx'
import { readDraft, storeDraft } from '../../platform/drafts.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { useStaleList } from '../../platform/stale-list.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { inputOrder, plainText } from '../../ui/contract-form/fields.tsx'
import { focusFirst } from '../../ui/contract-form/focus.ts'
import { useDraft, useDraftKey } from '../../ui/contract-form/use-draft.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useModifierKey } from '../../ui/use-modifier-key.ts'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import { AddProgress } from './AddProgress.tsx'
import { AddReport } from './AddReport.tsx'
import styles from './add.module.css'
import { type LineFilter, LineList } from './LineList.tsx'
import { applyRefusals, countLines, getLineRange, isPending, isValid, removeLines } from './lines.ts'
import { useAddDomains } from './use-add-domains.ts'
import { useSharedFields } from './use-shared-fields.ts'

const { listExternalDomains } = externalDomainsRoutes
const { listOwnDomains } = limitisRoutes
const none: readonly never[] = []
const empty = { text: '', customer: '', domainprovider: '' }

const listPath = '/limitis/externaldomains/list'

/** Must match add.module.css. */
const lineHeight = 20

export default function AddDomainsScreen() {
  const { t } = useTranslation()
  const modifierKey = useModifierKey()
  const navigate = useNavigate()
  const canViewList = can(useUser(), listExternalDomains.access)
  const draftKey = useDraftKey('add')
  const [draft] = useState(() => readDraft(draftKey, empty)?.mine)
  const root = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(draft?.text ?? '')
  const latestText = useRef(text)
  const updateText = useCallback((next: string) => {
    latestText.current = next
    setText(next)
  }, [])

  const sharedFields = useSharedFields(draft ?? empty)
  const currentInput = () => ({ base: {}, mine: { text: latestText.current, ...sharedFields.values } })
  useDraft(draftKey, () => (latestText.current.trim() === '' ? null : currentInput()))
  const [show, setShow] = useState<LineFilter>('all')
  const listed = useDomainSet(useRoute(listExternalDomains, {}, { enabled: canViewList }).data)
  // The server checks own domains in any case.
  const canViewOwnDomains = can(useUser(), listOwnDomains.access)
  const ownDomains = useDomainSet(useStaleList(listOwnDomains, {}, { enabled: canViewOwnDomains }).data?.list)
  /** Domains added here, which the list may not contain yet. */
  const [addedHere, setAddedHere] = useState<ReadonlySet<string>>(new Set())
  /** The list before the run: domains that it adds are not duplicates. */
  const [listedBefore, setListedBefore] = useState<ReadonlySet<string> | null>(null)
  const known = useMemo(
    () => new Set([...(listedBefore ?? listed), ...addedHere]),
    [listed, listedBefore, addedHere],
  )

  const parse = useCallback(
    (value: string) => parseDomainLines(value, known, ownDomains),
    [known, ownDomains],
  )

  const { add, stop, progress, failures, outcome } = useAddDomains((domains) => {
    const before = parseDomainLines(latestText.current)
    updateText(removeLines(before, (line) => isValid(line) && domains.has(normalizeDomain(line.fqdn))))
    setAddedHere((others) => new Set([...others, ...domains]))
  })

  const leaveIfAsked = useUnsavedGuard(
    useCallback(() => latestText.current.trim() !== '', []),
    progress === null
      ? undefined
      : { title: t('limitis.add.leaveTitle'), text: t('limitis.add.leaveText', { ...progress }) },
  )

  // Large texts are checked when there is time.
  const deferredText = useDeferredValue(text)
  const lines = useMemo(() => parse(deferredText), [parse, deferredText])
  const shown = useMemo(() => applyRefusals(lines, failures), [lines, failures])
  const counts = useMemo(() => countLines(shown), [shown])
  const isRunning = progress !== null
  const provider = sharedFields.field('domainprovider')

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    if (isRunning) return
    const pending = applyRefusals(parse(latestText.current), failures).filter(isPending)
    const body = sharedFields.check()
    if (body === null) return focusFirst(root.current, ['customer', 'domainprovider'])
    if (pending.length === 0) return field.current?.focus()
    setListedBefore(listed)
    const result = await add(pending, body)
    setListedBefore(null)
    if (result.blockingError?.status === 401) {
      storeDraft(draftKey, currentInput())
      return
    }
    // If lines are left, a report says what was added.
    if (result.added > 0 && result.failed === 0 && result.unsent === 0)
      notifyDone(t('limitis.add.added', { count: result.added }), t('limitis.add.done'))
    if (latestText.current.trim() === '') {
      if (!leaveIfAsked() && canViewList) void navigate(listPath)
    } else if (result.failed > 0) setShow('problems')
  }

  const goTo = useCallback((line: number) => {
    const input = field.current
    if (input === null) return
    input.focus()
    input.setSelectionRange(...getLineRange(input.value, line))
    input.scrollTop = Math.max(0, line * lineHeight - input.clientHeight / 2)
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event)
  }

  return (
    <>
      <BackLink to={canViewList ? listPath : '/'} label={t('limitis.add.back')} />
      <PageHeader title={t('limitis.add.title')} />
      <form ref={root} noValidate onSubmit={(event) => void submit(event)} className={styles.form}>
        {draft !== undefined && (
          <Alert role="status" icon={<IconInfoCircle size={16} />}>
            {t('limitis.add.draft')}
          </Alert>
        )}
        <div className={styles.sharedFields}>
          <CustomerPicker
            {...sharedFields.field('customer')}
            label={t('limitis.external.fields.customer')}
            readOnly={isRunning}
          />
          <TextInput
            {...provider}
            autoComplete="off"
            onChange={({ currentTarget }) => provider.onChange(currentTarget.value)}
            label={t('limitis.external.fields.domainprovider')}
            description={provider.error === undefined && t('limitis.external.hints.domainprovider')}
            readOnly={isRunning}
          />
        </div>
        <div className={styles.domains}>
          <Textarea
            ref={field}
            label={t('limitis.add.domains')}
            description={t('limitis.add.domainsHint', { key: `${modifierKey}+Enter` })}
            inputWrapperOrder={inputOrder}
            required
            value={text}
            onChange={({ currentTarget }) => updateText(currentTarget.value)}
            onKeyDown={onKeyDown}
            readOnly={isRunning}
            wrap="off"
            {...plainText}
            classNames={{ root: styles.field, label: styles.label, input: styles.input }}
          />
          <LineList lines={shown} counts={counts} show={show} onShow={setShow} onGoTo={goTo} />
        </div>
        {outcome !== null && !isRunning && latestText.current !== '' && (
          <AddReport outcome={outcome} onRetry={() => void submit()} />
        )}
        <div className={styles.end}>
          <Button type="submit" loading={isRunning} disabled={counts.valid === 0}>
            {t('limitis.add.submit', { count: counts.valid })}
          </Button>
          {counts.duplicate > 0 && !isRunning && (
            <Button
              variant="default"
              leftSection={<IconPlaylistX size={16} />}
              onClick={() => {
                const verdicts = ['duplicate', 'listed']
                updateText(
                  removeLines(parse(latestText.current), ({ verdict }) => verdicts.includes(verdict)),
                )
                field.current?.focus()
              }}
            >
              {t('limitis.add.removeDuplicates')}
            </Button>
          )}
          {progress !== null && <AddProgress {...progress} onStop={stop} />}
        </div>
      </form>
    </>
  )
}

/** The domains of a list in normalized form. */
const useDomainSet = (list: readonly { readonly fqdn: string }[] = none): ReadonlySet<string> =>
  useMemo(() => new Set(list.map(({ fqdn }) => normalizeDomain(fqdn))), [list])
