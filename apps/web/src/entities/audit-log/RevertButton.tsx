import { customersRoutes } from '@kustos/contract/customers'
import { findRevertRefusal, type LogRow, logsRoutes, mayRevert } from '@kustos/contract/logs'
import { nodesRoutes } from '@kustos/contract/nodes'
import { Button, Loader, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { LogDifference } from './LogDifference.tsx'

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

/** What takes the change of an entry back, after showing what would change. */
export function useRevert() {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const reverting = useAction(logsRoutes.revertChange, stale)
  const user = useUser()
  const canRevert = (entry: LogRow) =>
    mayRevert(user, entry) && findRevertRefusal(entry) === null && entry.subject_id !== null

  async function revert(entry: LogRow) {
    const title = entry.subject_name ?? t('logs.screen.entry', { id: entry.id })
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
  /** Whether it stands in a list of entries. */
  readonly isInline?: boolean
}

const inlineLook = { size: 'compact-xs', variant: 'subtle', px: 0, fw: 400 } as const

/** Takes the change of an entry back. Nothing for entries that cannot be reverted. */
export function RevertButton({ entry, isInline = false }: Props) {
  const { t } = useTranslation()
  const { canRevert, revert, isPending } = useRevert()
  if (!canRevert(entry)) return null

  const iconSize = isInline ? 14 : 16
  return (
    <Button
      {...(isInline ? inlineLook : { variant: 'default' })}
      // Mantine's `loading` disables a button, which loses the focus then.
      leftSection={isPending ? <Loader size={iconSize} /> : <IconArrowBackUp size={iconSize} />}
      aria-busy={isPending}
      onClick={() => {
        if (!isPending) void revert(entry)
      }}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('logs.revert.button')}
    </Button>
  )
}
