import { batchesRoutes } from '@kustos/contract/batches'
import type { Deployment } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { can } from '@kustos/contract/permissions'
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { batchPath } from '../../entities/batch/batch-link.ts'
import { CustomerLink } from '../../entities/customer/CustomerLink.tsx'
import { NodeLink } from '../../entities/node/NodeLink.tsx'
import { webHref } from '../../entities/web/paths.ts'
import { useUser } from '../../platform/session.ts'
import styles from './deployment.module.css'

export function DeploymentFacts({ deployment }: { readonly deployment: Deployment }) {
  const { t } = useTranslation()
  const user = useUser()
  const { web_id: web, batch_id: batch, fqdn, request } = deployment
  const time = (iso: string | null) => iso && formatTime(iso)
  const mono = (text: ReactNode) => text && <span className={styles.mono}>{text}</span>
  const href = web === null ? null : webHref(user, { id: web, fqdn })
  const webLink = href !== null && (
    <Anchor component={Link} to={href} inherit>
      {fqdn}
    </Anchor>
  )
  const facts = {
    web: web !== null && (webLink || fqdn),
    node: mono(deployment.node && <NodeLink name={deployment.node} />),
    source: mono(request?.sourceRepo),
    repository: mono(deployment.repository),
    // The two names of a trial-day web are equal.
    bnName: request?.bnName !== request?.futureDomain && request?.bnName,
    customer: request && (web === null ? request.customer : <CustomerLink code={request.customer} />),
    batch: batch !== null && can(user, batchesRoutes.readBatch.access) && (
      <Anchor component={Link} to={batchPath(batch)} inherit>
        {t('batches.request.title', { id: batch })}
      </Anchor>
    ),
    requested: time(deployment.created_at),
    started: time(deployment.started_at),
    ended: time(deployment.ended_at),
    attempts: deployment.attempts > 1 && deployment.attempts,
  } as const satisfies Readonly<Record<string, ReactNode>>
  const names = Object.keys(facts) as (keyof typeof facts)[]
  return (
    <dl className={styles.facts}>
      {names
        .filter((name) => facts[name])
        .map((name) => (
          <div key={name}>
            <dt>{t(`deployment.page.fields.${name}`)}</dt>
            <dd>{facts[name]}</dd>
          </div>
        ))}
    </dl>
  )
}
