import { customersRoutes } from '@kustos/contract/customers'
import { findRevertRefusal, type LogRow, logsRoutes, mayRevert } from '@kustos/contract/logs'
import { nodesRoutes } from '@kustos/contract/nodes'
import { Anchor, Button, Loader, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import { call } from '../../platform/client.ts'
import { useAction, useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { notifyFailed, notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { LogDifference } from './LogDifference.tsx'
import type { LogQuery } from './paths.ts'
import { findReverts } from './reverts.ts'

/** The queries that show log entries. */
const stale = [logsRoutes.listLogs, customersRoutes.readTimeline, nodesRoutes.readNodeTimeline]

/** Why an entry can never be reverted, where that is not plain. */
export function RevertRefusal({ entry }: { readonly entry: LogRow }) {
  const { t } = useTranslation()
  const refusal = findRevertRefusal(entry)
  return refusal === null ? null : <Text c="dimmed">{t(`messages.${refusal}`)}</Text>
}

const ofFields = [
  'updated',
  'check changed',
  'contract changed',
  'preference changed',
  'post-mortem written',
  'deployment linked',
  'deployment unlinked',
] as const

type RevertibleWord = (typeof ofFields)[number] | 'deleted' | 'restored'

/** Of which it is shown what becomes of each field. */
const changesOfFields: ReadonlySet<string> = new Set<RevertibleWord>(ofFields)

/** The fields that a revert changes, as the entry of the revert would have them. */
function revertedFields({ description, properties: { old = {}, attributes = {} } }: LogRow, found: string) {
  if (description === 'deployment linked' || description === 'deployment unlinked') {
    // Unless one was chosen, it is found.
    const deploymentOf = (values: object) => ({
      deployment: 'deployment' in values ? values.deployment : found,
    })
    return { old: deploymentOf(attributes), attributes: deploymentOf(old) }
  }
  const made = Object.fromEntries(Object.keys(old).map((field) => [field, attributes[field]]))
  return { old: made, attributes: old }
}

const entryPath = (id: number) => `/logs?entry=${id}`

/** The reverts of changes of the entry's subject, which an index finds. */
const revertsOf = ({ subject_type, subject_id }: LogRow) => ({
  query: { subject_type, subject_id: String(subject_id), field: 'reverts' } as LogQuery,
})

/** What takes the change of an entry back, after showing what would change. */
export function useRevert() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const checking = useMutation({
    mutationFn: (entry: LogRow) => call(logsRoutes.listLogs, revertsOf(entry)),
  })
  const confirm = useConfirm()
  const reverting = useAction(logsRoutes.revertChange, stale)
  const user = useUser()
  const canRevert = (entry: LogRow) =>
    mayRevert(user, entry) && findRevertRefusal(entry) === null && entry.subject_id !== null

  async function revert(entry: LogRow) {
    if (checking.isPending) return
    const title = entry.subject_name ?? t('logs.screen.entry', { id: entry.id })
    try {
      const id = findReverts((await checking.mutateAsync(entry)).data).get(entry.id)
      if (id !== undefined)
        return notifyFailed(title, t('logs.revert.revertedBy', { id }), {
          label: t('logs.screen.show'),
          run: () => void navigate(entryPath(id)),
        })
    } catch (error) {
      return notifyFailed(title, error)
    }
    const isAgreed = await confirm({
      title,
      text: t(`logs.revert.${entry.description as RevertibleWord}`),
      more: changesOfFields.has(entry.description) && (
        <LogDifference
          entry={{
            subject_type: entry.subject_type,
            properties: revertedFields(entry, t('incidents.deployment.find')),
          }}
        />
      ),
      yes: t('logs.revert.yes'),
      danger: entry.description === 'restored',
    })
    if (!isAgreed) return
    await notifyOutcome(title, t('logs.revert.done'), () =>
      reverting.mutateAsync({ params: { id: entry.id } }),
    )
  }

  return { canRevert, revert, isPending: reverting.isPending }
}

interface Props {
  readonly entry: LogRow
  /** The entry that has reverted it, if that is known. */
  readonly revertedBy?: number | undefined
  /** Whether it stands in a list of entries. */
  readonly isInline?: boolean
}

const inlineLook = { size: 'compact-xs', variant: 'subtle', px: 0, fw: 400 } as const

/** Takes the change of an entry back, or names the entry that has done so. Nothing for entries that cannot be reverted. */
export function RevertButton({ entry, revertedBy, isInline = false }: Props) {
  const { t } = useTranslation()
  const { canRevert, revert, isPending } = useRevert()
  const [wasUsed, setUsed] = useState(false)
  // The link takes the place of the button that the user has pressed.
  const takeFocus = useCallback(
    (link: HTMLAnchorElement | null) => {
      if (wasUsed) link?.focus()
    },
    [wasUsed],
  )
  // In a list, each entry would ask the server.
  const isUnknown = !isInline && revertedBy === undefined && canRevert(entry)
  const { data: found, isLoading } = useRoute(logsRoutes.listLogs, revertsOf(entry), {
    enabled: isUnknown,
    select: ({ data }) => findReverts(data).get(entry.id) ?? null,
  })
  const reverting = revertedBy ?? found ?? null
  if (!canRevert(entry) || isLoading) return null
  if (reverting !== null)
    return (
      <Anchor ref={takeFocus} component={Link} to={entryPath(reverting)} fz={isInline ? 'xs' : 'sm'}>
        {t('logs.revert.revertedBy', { id: reverting })}
      </Anchor>
    )

  const iconSize = isInline ? 14 : 16
  return (
    <Button
      {...(isInline ? inlineLook : { variant: 'default' })}
      // Mantine's `loading` disables a button, which loses the focus then.
      leftSection={isPending ? <Loader size={iconSize} /> : <IconArrowBackUp size={iconSize} />}
      aria-busy={isPending}
      onClick={() => {
        setUsed(true)
        if (!isPending) void revert(entry)
      }}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('logs.revert.button')}
    </Button>
  )
}
