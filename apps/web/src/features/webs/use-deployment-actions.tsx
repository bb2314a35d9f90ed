import { type Action, accessOf } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import type { Node, Web } from '@kustos/contract/webs'
import { Checkbox } from '@mantine/core'
import {
  type Icon,
  IconArchive,
  IconArrowBigUpLines,
  IconDatabaseExport,
  IconDatabaseImport,
  IconDatabaseShare,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../app/api-error.ts'
import { requestAction } from '../../app/request-deployment.ts'
import { sentence } from '../../app/sentences.ts'
import { useUser } from '../../app/session.ts'
import { useDeploymentLink } from '../../app/use-deployment-link.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { useAlert } from '../../ui/use-alert.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { isCloudEnabled } from './cloud-enabled.ts'

interface Offer {
  readonly action: Action
  readonly icon: Icon
  /** What is asked before. */
  readonly question: 'importDatabase' | 'exportDatabase' | 'update' | 'backup' | null
}

/** In the order of the specification, as are the following. */
const onDatabase: readonly Offer[] = [
  { action: 'importDatabase', icon: IconDatabaseImport, question: 'importDatabase' },
  { action: 'exportDatabaseKick', icon: IconDatabaseShare, question: null },
  { action: 'exportDatabase', icon: IconDatabaseExport, question: 'exportDatabase' },
]
const onWeb: readonly Offer[] = [
  { action: 'updateWeb', icon: IconArrowBigUpLines, question: 'update' },
  { action: 'backupWeb', icon: IconArchive, question: 'backup' },
]

type DeployedWeb = Pick<Web, 'id' | 'fqdn' | 'node'>

/**
 * The deployment actions of a web's row, for those who may ask for them: those on its database and those on the web.
 * @param nodes undefined until they are there
 */
export function useDeploymentActions(nodes: readonly Node[] | undefined): (web: DeployedWeb) => {
  readonly onDatabase: readonly RowAction[]
  readonly onWeb: readonly RowAction[]
} {
  const { t } = useTranslation()
  const user = useUser()
  const confirm = useConfirm()
  const alert = useAlert()
  const linkTo = useDeploymentLink()

  async function run({ action, question }: Offer, web: DeployedWeb) {
    const { id, fqdn } = web
    if (!isCloudEnabled(web, nodes)) return alert({ title: fqdn, texts: [t('deployment.notHere')] })
    let backup = true
    const overwrites = action === 'importDatabase'
    if (question !== null) {
      const agreed = await confirm({
        title: fqdn,
        text: t(`confirm.${question}`),
        yes: t(`deployment.kinds.${action}`),
        danger: overwrites,
        more: overwrites && (
          <Checkbox
            defaultChecked
            label={t('deployment.backupFirst')}
            onChange={({ currentTarget }) => {
              backup = currentTarget.checked
            }}
          />
        ),
      })
      if (!agreed) return
    }
    try {
      const deployment = await requestAction(action, overwrites ? { id, backup } : { id })
      notifyDone(fqdn, t(`deployment.requested.${action}`), linkTo(deployment))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      alert({ title: fqdn, texts: [sentence(error.error ?? error.message)] })
    }
  }

  const actionsOf = (offers: readonly Offer[], web: DeployedWeb) =>
    offers
      .filter(({ action }) => can(user, accessOf(action)))
      .map((entry) => ({
        key: entry.action,
        label: t(`deployment.kinds.${entry.action}`),
        icon: <entry.icon size={16} />,
        run: () => void run(entry, web),
      }))

  return (web) => ({ onDatabase: actionsOf(onDatabase, web), onWeb: actionsOf(onWeb, web) })
}
