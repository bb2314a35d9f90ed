import type { NodeDetails } from '@kustos/contract/nodes'
import type { User } from '@kustos/contract/users'
import { discoveryPath } from '../../entities/node/paths.ts'

export const stepNames = ['node', 'webs', 'alerts', 'colleague'] as const
export type StepName = (typeof stepNames)[number]

export interface StepState {
  readonly isDone: boolean
  /** Where it is done. */
  readonly path: string
}

/**
 * The first steps after an installation.
 * @returns null if none is left. Alerts alone keep none open: they can also go to Slack or Telegram, which only workers know.
 */
export function firstSteps(
  nodes: readonly Pick<NodeDetails, 'id'>[],
  webs: number,
  users: readonly Pick<User, 'deleted_at' | 'monitoring_mail_subscription'>[],
): Readonly<Record<StepName, StepState>> | null {
  const [node] = nodes
  const staff = users.filter(({ deleted_at }) => deleted_at === null)
  if (node !== undefined && webs > 0 && staff.length > 1) return null
  return {
    node: { isDone: node !== undefined, path: '/nodes' },
    webs: { isDone: webs > 0, path: node === undefined ? '/hosting/add' : discoveryPath(node.id) },
    alerts: {
      isDone: staff.some(({ monitoring_mail_subscription: subscribed }) => subscribed),
      path: '/settings',
    },
    colleague: { isDone: staff.length > 1, path: '/admin/user-management/add' },
  }
}
