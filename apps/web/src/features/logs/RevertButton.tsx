import { type LogRow, logsRoutes, oppositeRouteOf } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LogDifference } from '../../entities/audit-log/LogDifference.tsx'
import { useAction } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'

/** Takes the change of an entry back, after showing what would change. Nothing for entries that cannot be reverted. */
export function RevertButton({ entry }: { readonly entry: LogRow }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const reverting = useAction(logsRoutes.revertChange, [logsRoutes.listLogs])
  const user = useUser()
  const opposite = oppositeRouteOf(entry)
  if (opposite === null || !can(user, opposite.access) || entry.subject_id === null) return null

  async function revert() {
    const { old = {}, attributes = {} } = entry.properties
    const made = Object.fromEntries(Object.keys(old).map((field) => [field, attributes[field]]))
    const title = entry.subject_name ?? t('logs.screen.entry', { id: entry.id })
    const isAgreed = await confirm({
      title,
      text: t(`logs.revert.${entry.description as 'updated' | 'deleted' | 'restored'}`),
      more: entry.description === 'updated' && (
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

  return (
    <Button
      variant="default"
      leftSection={<IconArrowBackUp size={16} />}
      loading={reverting.isPending}
      onClick={() => void revert()}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('logs.revert.button')}
    </Button>
  )
}
