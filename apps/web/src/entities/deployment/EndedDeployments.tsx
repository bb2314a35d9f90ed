import { type DeploymentSummary, deploymentRoutes } from '@kustos/contract/deployment'
import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { storedText } from '../../platform/message-text.ts'
import { useRoute } from '../../platform/query.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'
import { openNotified } from './notified-deployments.ts'
import { useDeploymentLink } from './use-deployment-link.ts'

const { listOwnDeployments } = deploymentRoutes

/** So many deployments share a notification. Once so many are under way, those that succeed wait until all have ended. */
const groupFrom = 4
/** The reasons in a notification of several failures. */
const maxReasons = 5

/**
 * Notifies users when the deployments that they asked for succeed or fail, whichever screen they look at. Renders nothing.
 * A cancellation is somebody's decision.
 */
export function EndedDeployments({ userId }: { readonly userId: number }) {
  const visibility = useDocumentVisibility()
  const [notified] = useState(() => openNotified(userId))
  const { data } = useRoute(listOwnDeployments, { query: { ended_after: notified.since } })
  const notify = useEffectEvent(useNotify())
  const waitsForAll = useRef(false)

  useEffect(() => {
    if (data === undefined || visibility === 'hidden') return
    const underWay = data.data.filter(({ ended_at }) => ended_at === null).length
    waitsForAll.current = underWay >= groupFrom || (waitsForAll.current && underWay > 0)
    const endedAs = (state: DeploymentSummary['state']) => data.data.filter((one) => one.state === state)
    notify('failed', notified.record(endedAs('failed')))
    if (waitsForAll.current) return
    notify('succeeded', notified.record(endedAs('succeeded')))
    notified.advance(data.data)
  }, [data, visibility, notified])

  return null
}

function useNotify() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const linkTo = useDeploymentLink()

  return (state: 'succeeded' | 'failed', ended: readonly DeploymentSummary[]) => {
    // The screen of a deployment shows how it ended.
    const unseen = ended.filter(({ id }) => pathname !== `/queue/${id}`)
    const notifyOne = (subject: string, id: number | null, reasons: readonly string[]) =>
      state === 'succeeded'
        ? notifyDone(subject, t('deployment.states.succeeded'), linkTo(id))
        : notifyFailed(subject, reasons.join('\n'), linkTo(id))
    const reasonOf = (one: DeploymentSummary) => storedText(one.error, one.error_code, one.error_params)
    if (unseen.length >= groupFrom)
      return notifyOne(
        t('deployment.endedTogether', { count: unseen.length }),
        null,
        unseen.slice(0, maxReasons).map((one) => `${one.fqdn}: ${reasonOf(one)}`),
      )
    for (const one of unseen)
      notifyOne(`${t(`actions.${one.kind}.label`)} · ${one.fqdn}`, one.id, [reasonOf(one)])
  }
}
