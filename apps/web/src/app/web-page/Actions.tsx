import { can } from '@kustos/contract/permissions'
import { type Web, type WebList, websRoutes } from '@kustos/contract/webs'
import { ActionIcon, Button, Menu, VisuallyHidden } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useRefresh } from '../../features/webs/use-refresh.tsx'
import { ActionItems } from '../../ui/ActionItems.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { useRoute } from '../query.ts'
import { useUser } from '../session.ts'
import { useWebActions } from '../use-web-actions.tsx'
import styles from './web-page.module.css'

interface Props {
  readonly web: Web
  /** Whether a refresh that was asked for here goes on. */
  readonly isRefreshing: boolean
}

/** Those that have a button of their own, in its order; the others stand in the menu. */
const buttons = ['refresh', 'backupWeb', 'updateWeb']

const nodesOf = ({ nodes }: WebList) => nodes

/** What can be done with the web. */
export function Actions({ web, isRefreshing }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  // The list tells which nodes take deployments.
  const nodes = useRoute(
    websRoutes.listWebs,
    {},
    { select: nodesOf, enabled: can(user, websRoutes.listWebs.access) },
  )
  const refresh = useRefresh()
  const [, setAddress] = useSearchParams()
  const actions = useWebActions(nodes.data)(web).filter(({ key }) => key !== 'show')
  const inMenu = actions.filter(({ key }) => !buttons.includes(key))

  async function onRefresh() {
    const asked = await refresh(web)
    if (asked === null) return
    // How it goes is shown here; the address keeps which one it is.
    setAddress({ inspection: String(asked) }, { replace: true, preventScrollReset: true })
  }
  const runOf = (action: RowAction) => {
    if (action.key === 'refresh') return () => void onRefresh()
    return 'run' in action ? action.run : undefined
  }

  return (
    <>
      {buttons.map((key) => {
        const action = actions.find((known) => known.key === key)
        return (
          action && (
            <Button
              key={key}
              variant="default"
              className={styles.action}
              leftSection={action.icon}
              loading={key === 'refresh' && isRefreshing}
              onClick={runOf(action)}
            >
              {action.label}
            </Button>
          )
        )
      })}
      {/* There from the start, so that it is read out. */}
      <VisuallyHidden role="status">{isRefreshing && t('webs.seen.running')}</VisuallyHidden>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('webPage.more', { fqdn: web.fqdn })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItems actions={inMenu} />
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
