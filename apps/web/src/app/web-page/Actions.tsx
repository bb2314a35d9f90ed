import type { Web } from '@kustos/contract/webs'
import { ActionIcon, Button, Menu, VisuallyHidden } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useWebActions } from '../../entities/web/actions/use-web-actions.tsx'
import { webPageButtons } from '../../entities/web/actions/web-actions.ts'
import { useNodes } from '../../entities/web/use-nodes.ts'
import { ActionItems } from '../../ui/ActionItems.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import styles from './web-page.module.css'

interface Props {
  readonly web: Web
  /** Whether a refresh that was requested here is running. */
  readonly isRefreshing: boolean
  readonly onRefresh: () => void
}

export function Actions({ web, isRefreshing, onRefresh }: Props) {
  const { t } = useTranslation()
  const actions = useWebActions('page', useNodes()).actionsOf(web)
  const buttons = webPageButtons.flatMap((name) => actions.find(({ key }) => key === name) ?? [])

  const onClick = (action: RowAction) => {
    // Unlike in a menu, its progress is shown here.
    if (action.key === 'refresh') return onRefresh
    return 'run' in action ? action.run : undefined
  }

  return (
    <>
      {buttons.map((action) => (
        <Button
          key={action.key}
          variant="default"
          className={styles.action}
          leftSection={<action.icon size={16} />}
          loading={action.key === 'refresh' && isRefreshing}
          onClick={onClick(action)}
        >
          {action.label}
        </Button>
      ))}
      {/* There from the start, so that it is read out. */}
      <VisuallyHidden role="status">{isRefreshing && t('webs.seen.running')}</VisuallyHidden>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('webPage.more', { fqdn: web.fqdn })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItems actions={actions.filter((action) => !buttons.includes(action))} />
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
