import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { allDomains, limitisRoutes } from '@kustos/contract/limitis'
import { type Access, can } from '@kustos/contract/permissions'
import type { CurrentUser } from '@kustos/contract/users'
import type { EvaluatedList } from '@kustos/contract/views'
import { websRoutes } from '@kustos/contract/webs'
import { readRepositories } from '../bitbucket/index.ts'
import { listCustomers } from '../customers/index.ts'
import { listExternalDomains } from '../external-domains/index.ts'
import { listEmails, listOwnDomains } from '../limitis/index.ts'
import { listMonitoredWebs, type MonitoringSettings } from '../monitoring/index.ts'
import { listNodes } from '../nodes/index.ts'
import type { Context } from '../platform/context.ts'
import { listThirdParties } from '../third-parties/index.ts'
import { listUsers } from '../users/index.ts'
import { readWebRows } from '../webs/index.ts'

type Take = (piece: Uint8Array<ArrayBuffer>) => void

/**
 * Gives the rows of a list that the acting user may see as JSON joined by commas, in chunks of whole rows.
 * @param scope as `scopeOf` returns it
 */
export async function readRows(
  context: Context,
  list: EvaluatedList,
  scope: string,
  settings: MonitoringSettings,
  take: Take,
): Promise<void> {
  if (list === 'webs' || list === 'tracking') {
    const options = {
      includeTracking: list === 'tracking',
      scope: scope === 'deleted' || scope === 'violating' ? scope : 'active',
    } as const
    return readWebRows(context.database, options, take)
  }
  const rows = await readers[list](context, scope, settings)
  take(new TextEncoder().encode(JSON.stringify(rows).slice(1, -1)))
}

type Reader = (context: Context, scope: string, settings: MonitoringSettings) => Promise<readonly unknown[]>

const readers: Readonly<Record<Exclude<EvaluatedList, 'webs' | 'tracking'>, Reader>> = {
  customers: listCustomers,
  async 'third-parties'(context, scope, settings) {
    const { data } = await listThirdParties(context, {}, settings)
    return scope === 'review' ? data.filter(({ decision }) => decision === 'review') : data
  },
  nodes: listNodes,
  bitbucket: readRepositories,
  async 'all-domains'(context, scope) {
    const [own, external] = await Promise.all([
      scope.includes('own') ? listOwnDomains(context) : null,
      scope.includes('external') ? listExternalDomains(context) : [],
    ])
    return allDomains(own?.rows ?? [], external)
  },
  'external-domains': listExternalDomains,
  'own-domains': async (context) => (await listOwnDomains(context)).rows,
  emails: async (context) => (await listEmails(context)).rows,
  monitoring: async (context, _, settings) => (await listMonitoredWebs(context, settings)).data,
  async users(context, scope) {
    const { data } = await listUsers(context)
    return scope === 'hidden' ? data.filter(({ deleted_at }) => deleted_at === null) : data
  },
}

/** What users may see in a list besides its rows, which then differ from user to user. */
const parts: { readonly [List in EvaluatedList]?: Readonly<Record<string, Access>> } = {
  customers: {
    webs: websRoutes.listWebs.access,
    own: limitisRoutes.listOwnDomains.access,
    external: externalDomainsRoutes.listExternalDomains.access,
    mailboxes: limitisRoutes.listEmails.access,
  },
  'all-domains': {
    own: limitisRoutes.listOwnDomains.access,
    external: externalDomainsRoutes.listExternalDomains.access,
  },
}

const partsOf = (actor: CurrentUser, list: EvaluatedList) =>
  Object.entries(parts[list] ?? {}).flatMap(([name, access]) => (can(actor, access) ? [name] : []))

/**
 * Which rows of a view's list a user sees who may open it: users with the same scope see the same ones.
 * @returns null for deleted webs, if the user may not restore them
 */
export function scopeOf(actor: CurrentUser, list: EvaluatedList, query: string): string | null {
  const params = new URLSearchParams(query)
  const deleted = params.get('deleted')
  if (list === 'webs' && deleted === '1') return can(actor, websRoutes.restoreWeb.access) ? 'deleted' : null
  if (list === 'tracking' && params.get('before_consent') === '1') return 'violating'
  if (list === 'users' && deleted === 'hidden') return 'hidden'
  if (list === 'third-parties' && params.get('review') === '1') return 'review'
  return partsOf(actor, list).join()
}

/** Every scope in which a user may see rows of a list. */
export const scopesOf = (actor: CurrentUser, list: EvaluatedList): readonly string[] =>
  ['', 'deleted=1', 'deleted=hidden', 'review=1', 'before_consent=1'].flatMap(
    (query) => scopeOf(actor, list, query) ?? [],
  )
