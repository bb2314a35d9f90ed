import { can } from '@kustos/contract/permissions'
import type { Node } from '@kustos/contract/webs'
import { Anchor, Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { errorText } from '../../../platform/message-text.ts'
import { useUser } from '../../../platform/session.ts'
import { copyAndNotify } from '../../../ui/copy.ts'
import type { BulkAction, RowAction } from '../../../ui/data-grid/types.ts'
import { notifyDone, notifyFailed } from '../../../ui/notify.tsx'
import { useAlert } from '../../../ui/use-alert.tsx'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { RequestNotSentError, useBulkRun } from '../use-bulk-run.tsx'
import {
  type ActionableWeb,
  type ActionPlace,
  appliesTo,
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

/** The actions on webs that the user has in one place. Until the nodes are loaded, all of them count as refusing. */
export function useWebActions(place: ActionPlace, nodes: readonly Node[] = []) {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const alert = useAlert()
  const bulkRun = useBulkRun<ActionableWeb>()

  const isRefusedByNode = (action: RequestAction, web: ActionableWeb) =>
    action.onCloudNodesOnly === true &&
    !nodes.some(({ name, cloud_enabled }) => name === web.node && cloud_enabled)

  /** A test holds that each action has the texts that its definition needs. */
  const textOf = (name: WebActionName, part: string, options = {}) =>
    t(`actions.${name}.${part}` as 'actions.updateWeb.done', options)
  const labelOf = (name: WebActionName) => t(webActionOf(name).labels?.[place] ?? `actions.${name}.label`)

  function linkAfter({ linkTo, undo }: RequestAction, id: number | null, web?: ActionableWeb) {
    const link = linkTo?.(id, web) ?? null
    const isUndo = web !== undefined && undo !== undefined && can(user, webActionOf(undo).access)
    if (!isUndo && (link === null || !can(user, link.access))) return undefined
    return (
      // Notifications are outside of the router.
      <Anchor
        component="button"
        type="button"
        inherit
        onClick={() => {
          if (isUndo) void run(undo, web, { isConfirmed: true })
          else if (link !== null) void navigate(link.to)
        }}
      >
        {isUndo ? t('actions.undo.label') : link !== null && t(link.label)}
      </Anchor>
    )
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

  async function runForMany(name: WebActionName, action: RequestAction, webs: readonly ActionableWeb[]) {
    const total = webs.length
    const title = t('actions.webs', { count: total })
    const text = textOf(name, 'many.question', { count: total })
    if (!(await confirm({ title, text, yes: labelOf(name) }))) return
    const accepted = await bulkRun({
      rows: webs,
      work: (web) => {
        if (isRefusedByNode(action, web)) throw new RequestNotSentError(t('actions.unavailableOnNode'))
        return action.request(web, { backup: true })
      },
      running: textOf(name, 'many.running'),
      failed: (count) => textOf(name, 'many.failed', { count, total }),
    })
    if (accepted === 0) return
    notifyDone(t('actions.webs', { count: accepted }), textOf(name, 'done'), linkAfter(action, null))
  }

  const isList = place === 'list' || place === 'trackingList'
  const offered = (isList ? webActionNames : mostUsedFirst)
    .map((name) => ({ name, action: webActionOf(name) }))
    .filter(({ action }) => action.places.includes(place) && can(user, action.access))
  const lookOf = (name: WebActionName) => ({ key: name, label: labelOf(name), icon: webActionOf(name).icon })

  return {
    run,
    /** The actions on a web, in the order of the place. */
    actionsOf: (web: ActionableWeb): readonly RowAction[] =>
      offered
        .filter(({ action }) => appliesTo(action, web))
        .map(({ name, action }) => ({
          ...lookOf(name),
          ...(action.danger && { danger: true }),
          ...('path' in action ? { to: action.path(web) } : { run: () => void run(name, web) }),
        })),
    /** The actions that a list offers for all selected webs. */
    bulkActions: offered.flatMap(({ name, action }): BulkAction<ActionableWeb>[] =>
      'request' in action && action.takesMany
        ? [{ ...lookOf(name), run: (webs) => void runForMany(name, action, webs) }]
        : [],
    ),
  }
}
