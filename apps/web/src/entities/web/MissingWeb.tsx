import { websRoutes } from '@kustos/contract/webs'
import { Group } from '@mantine/core'
import { IconWorldOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'

interface Props {
  readonly id: string
  readonly back: { readonly to: string; readonly label: string }
  /** Whether users who may restore webs are sent to the list of deleted ones. */
  readonly offersDeleted?: boolean
}

export function MissingWeb({ id, back, offersDeleted = false }: Props) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconWorldOff}
      title={t('ui.web.missing', { id })}
      hint={t('ui.web.missingHint')}
      action={
        <Group gap="xs" justify="center">
          <LinkButton {...back} />
          {offersDeleted && (
            <LinkButton
              to="/hosting?deleted=1"
              label={t('webs.missing.toDeleted')}
              access={websRoutes.restoreWeb.access}
              variant="default"
            />
          )}
        </Group>
      }
    />
  )
}
