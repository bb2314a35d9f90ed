import { accessOf } from '@kustos/contract/deployment'
import type { Permission } from '@kustos/contract/permissions'

/** The permissions by feature, in the order of the sidebar. */
export const permissionGroups = [
  { name: 'webs', permissions: ['view webs', 'create webs', 'edit webs', 'delete webs', 'restore webs'] },
  { name: 'nodes', permissions: ['manage nodes'] },
  { name: 'customers', permissions: ['view customers', 'edit customers'] },
  { name: 'tags', permissions: ['edit tags'] },
  { name: 'tracking', permissions: ['edit tracking policy'] },
  { name: 'bitbucket', permissions: ['view bitbucket'] },
  {
    name: 'external-domains',
    permissions: [
      'view external domains',
      'create external domains',
      'edit external domains',
      'delete external domains',
    ],
  },
  { name: 'limitis', permissions: ['view limitis domains', 'view limitis email'] },
  {
    name: 'monitoring',
    permissions: ['view monitoring web statistic', 'plan maintenance', 'edit alert channels'],
  },
  { name: 'queue', permissions: ['view queue'] },
  { name: 'logs', permissions: ['view logs'] },
  { name: 'admin', permissions: ['view admin panel'] },
] as const satisfies readonly { readonly name: string; readonly permissions: readonly Permission[] }[]

const newWebAccess = accessOf('newWeb')
const [first, second] = 'all' in newWebAccess ? newWebAccess.all : []

/** Permissions that are only useful together: deploying a new web needs both. */
export const requiredTogether: Readonly<Partial<Record<Permission, Permission>>> =
  first === undefined || second === undefined ? {} : { [first]: second, [second]: first }
