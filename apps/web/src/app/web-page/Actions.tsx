import { can } from '@kustos/contract/permissions'
import { type Web, type WebList, websRoutes } from '@kustos/contract/webs'
import { ActionIcon, Button, Menu, VisuallyHidden } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useWebActions } from '../../entities/web/actions/use-web-actions.tsx'
import { type WebActionName, webActionOf } from '../../entities/web/actions/web-actions.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { ActionItems } from '../../ui/ActionItems.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import styles from './web-page.module.css'

interface Props {
  readonly web: Web
  /** Whether a refresh that was requested here is running. */
  readonly isRefreshing: boolean
}

const nodesOf = ({ nodes }: WebList) => nodes
/** The position of its button; undefined for entries of the menu. */
const buttonOf = ({ key }: RowAction) => webActionOf(key as WebActionName).button

export function Actions({ web, isRefreshing }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  // The list contains which nodes accept deployments.
  const nodes = useRoute(
    websRoutes.listWebs,
    {},
    { select: nodesOf, enabled: can(user, websRoutes.listWebs.access) },
  )
  const { actionsOf, run } = useWebActions('page', nodes.data)
  const [, setAddress] = useSearchParams()
  const actions = actionsOf(web)
  const buttons = actions
    .filter((action) => buttonOf(action) !== undefined)
    .toSorted((a, b) => (buttonOf(a) ?? 0) - (buttonOf(b) ?? 0))

  async function requestRefresh() {
    const inspection = await run('refresh', web, { withLink: false })
    if (inspection === null) return
    // Its progress is shown here; the address keeps which one it is.
    setAddress({ inspection: String(inspection) }, { replace: true, preventScrollReset: true })
  }
  const onClick = (action: RowAction) => {
    if (action.key === 'refresh') return () => void requestRefresh()
    return 'run' in action ? action.run : undefined
  }

  return (
    <>
      {buttons.map((action) => (
        <Button
          key={action.key}
          variant="default"
          className={styles.action}
          leftSection={action.icon}
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
          <ActionItems actions={actions.filter((action) => buttonOf(action) === undefined)} />
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
