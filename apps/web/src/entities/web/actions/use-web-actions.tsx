import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { can } from '@kustos/contract/permissions'
import type { Node } from '@kustos/contract/webs'
import { Checkbox } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { loadTexts } from '../../../platform/i18n.ts'
import { loadCode } from '../../../platform/load-code.ts'
import { errorText } from '../../../platform/message-text.ts'
import { useRoute } from '../../../platform/query.ts'
import { useUser } from '../../../platform/session.ts'
import { copyAndNotify } from '../../../ui/copy.ts'
import type { BulkAction, RowAction } from '../../../ui/data-grid/types.ts'
import { notifyDone, notifyFailed } from '../../../ui/notify.tsx'
import { useAlert } from '../../../ui/use-alert.tsx'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import {
  type ActionableWeb,
  type ActionPlace,
  appliesTo,
  minorBulkActions,
  mostUsedFirst,
  type RequestAction,
  type WebActionName,
  webActionNames,
  webActionOf,
} from './web-actions.ts'

interface RunOptions {
  /** Whether the notification links to what was requested; not where its progress is shown anyway. */
  readonly withLink?: boolean
  readonly isConfirmed?: boolean
}

/**
 * The actions on webs that the user has in one place.
 * @param loadedNodes until they are loaded, all nodes count as refusing, and no web as in maintenance
 */
export function useWebActions(place: ActionPlace, loadedNodes?: readonly Node[]) {
  const nodes = loadedNodes ?? []
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const alert = useAlert()

  const isRefusedByNode = (action: RequestAction, web: ActionableWeb) =>
    action.onCloudNodesOnly === true &&
    !nodes.some(({ name, cloud_enabled }) => name === web.node && cloud_enabled)

  /** A test holds that each action has the texts that its definition needs. */
  const textOf = (name: WebActionName, part: string, options = {}) =>
    t(`actions.${name}.${part}` as 'actions.updateWeb.done', options)
  const labelOf = (name: WebActionName) => t(webActionOf(name).labels?.[place] ?? `actions.${name}.label`)

  function linkAfter({ linkTo, undo }: RequestAction, id: number | null, web: ActionableWeb) {
    const link = linkTo?.(id, web)
    if (undo !== undefined && can(user, webActionOf(undo).access))
      return {
        label: t('actions.undo.label'),
        isUndo: true,
        run: () => void run(undo, web, { isConfirmed: true }),
      } as const
    return link && can(user, link.access) && { label: t(link.label), run: () => void navigate(link.to) }
  }

  /** @returns the id of what was requested; null where nothing was */
  async function run(
    name: WebActionName,
    web: ActionableWeb,
    { withLink = true, isConfirmed = false }: RunOptions = {},
  ): Promise<number | null> {
    const action = webActionOf(name)
    if ('run' in action) action.run(web, (text) => void copyAndNotify(text, t('actions.copy.done')))
    if (!('request' in action)) return null
    const { fqdn: title } = web
    if (isRefusedByNode(action, web)) {
      void alert({ title, texts: [t('actions.unavailableOnNode')] })
      return null
    }
    let backup = true
    if (action.confirms && !isConfirmed) {
      const isAgreed = await confirm({
        title,
        text: action.question ? t(action.question) : textOf(name, 'question'),
        yes: labelOf(name),
        danger: action.danger || action.overwrites || false,
        ...(action.hint && { hint: t(action.hint) }),
        more: action.offersBackup && (
          <Checkbox
            defaultChecked
            label={t('actions.backupFirst')}
            onChange={({ currentTarget }) => {
              backup = currentTarget.checked
            }}
          />
        ),
      })
      if (!isAgreed) return null
    }
    try {
      const id = await action.request(web, { backup })
      notifyDone(title, textOf(name, 'done'), withLink && linkAfter(action, id, web))
      return id
    } catch (error) {
      if (action.isListChange) notifyFailed(title, error)
      else void alert({ title, texts: [errorText(error)] })
      return null
    }
  }

  const isList = place === 'list' || place === 'trackingList'
  const offered = (isList ? webActionNames : mostUsedFirst)
    .map((name) => ({ name, action: webActionOf(name) }))
    .filter(({ action }) => action.places.includes(place) && can(user, action.access))
  const isEndOffered = loadedNodes !== undefined && offered.some(({ name }) => name === 'endMaintenance')
  const maintained = useRoute(maintenanceRoutes.listWebsInMaintenance, {}, { enabled: isEndOffered }).data
  const inMaintenance = useMemo(() => new Set(maintained?.data.map(({ web_id }) => web_id)), [maintained])
  const lookOf = (name: WebActionName) => ({ key: name, label: labelOf(name), icon: webActionOf(name).icon })

  return {
    run,
    /** The actions on a web, in the order of the place. @param names only some, which takes less time in long lists */
    actionsOf: (web: ActionableWeb, names = webActionNames): readonly RowAction[] =>
      offered
        .filter(({ name, action }) => names.includes(name) && appliesTo(action, web, inMaintenance))
        .map(({ name, action }) => ({
          ...lookOf(name),
          ...(action.danger && { danger: true }),
          ...('path' in action ? { to: action.path(web) } : { run: () => void run(name, web) }),
        })),
    /** The actions that a list of active or of deleted webs offers for all selected ones. */
    bulkActionsFor: (which: 'active' | 'deleted'): readonly BulkAction<ActionableWeb>[] =>
      mostUsedFirst
        .filter((name) => offered.some((one) => one.name === name))
        .flatMap((name) => {
          const action = webActionOf(name)
          const isMinor = minorBulkActions.includes(name)
          if ('path' in action) {
            const { linkForMany } = action
            if (linkForMany === undefined || which !== 'active') return []
            const open = (webs: readonly ActionableWeb[]) => {
              const { path, state } = linkForMany(webs)
              void navigate(path, { state })
            }
            return [{ ...lookOf(name), isMinor, run: open }]
          }
          const { batch } = 'request' in action ? action : {}
          if (batch === undefined || (action.appliesTo === 'deleted') !== (which === 'deleted')) return []
          if (action.appliesTo === 'inMaintenance' && inMaintenance.size === 0) return []
          const question = (count: number) => textOf(name, 'many.question', { count })
          const { label } = lookOf(name)
          const danger = action.danger ?? false
          const run = async (webs: readonly ActionableWeb[]) => {
            try {
              await loadTexts('screens')
              const { requestBatch } = await loadCode(() => import('../../batch/request-batch.tsx'))
              await requestBatch(
                { action: batch, webs, label, question, danger },
                { confirm, alert, navigate },
              )
            } catch (error) {
              // Its code could not be loaded.
              notifyFailed(label, error)
            }
          }
          return [{ ...lookOf(name), isMinor, run: (webs) => void run(webs) }]
        }),
  }
}
