import { customersRoutes } from '@kustos/contract/customers'
import { findRevertRefusal, type LogRow, logsRoutes, oppositeRouteOf } from '@kustos/contract/logs'
import { nodesRoutes } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
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

type RevertibleWord = 'updated' | 'deleted' | 'restored' | 'check changed' | 'contract changed'

/** Of which it is shown what becomes of each field. */
const changesOfFields: ReadonlySet<string> = new Set<RevertibleWord>([
  'updated',
  'check changed',
  'contract changed',
])

interface Props {
  readonly entry: LogRow
  /** Whether it stands in a list of entries. */
  readonly isInline?: boolean
}

const inlineLook = { size: 'compact-xs', variant: 'subtle', px: 0, fw: 400 } as const

/** Takes the change of an entry back, after showing what would change. Nothing for entries that cannot be reverted. */
export function RevertButton({ entry, isInline = false }: Props) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const reverting = useAction(logsRoutes.revertChange, stale)
  const user = useUser()
  const opposite = oppositeRouteOf(entry)
  if (opposite === null || findRevertRefusal(entry) !== null) return null
  if (!can(user, opposite.access) || entry.subject_id === null) return null

  async function revert() {
    const { old = {}, attributes = {} } = entry.properties
    const made = Object.fromEntries(Object.keys(old).map((field) => [field, attributes[field]]))
    const title = entry.subject_name ?? t('logs.screen.entry', { id: entry.id })
    const isAgreed = await confirm({
      title,
      text: t(`logs.revert.${entry.description as RevertibleWord}`),
      more: changesOfFields.has(entry.description) && (
        <LogDifference
          entry={{ subject_type: entry.subject_type, properties: { old: made, attributes: old } }}
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

  const iconSize = isInline ? 14 : 16
  return (
    <Button
      {...(isInline ? inlineLook : { variant: 'default' })}
      // Mantine's `loading` disables a button, which loses the focus then.
      leftSection={reverting.isPending ? <Loader size={iconSize} /> : <IconArrowBackUp size={iconSize} />}
      aria-busy={reverting.isPending}
      onClick={() => {
        if (!reverting.isPending) void revert()
      }}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('logs.revert.button')}
    </Button>
  )
}
