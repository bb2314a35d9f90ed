import type { Deployment } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { can } from '@kustos/contract/permissions'
import { websRoutes } from '@kustos/contract/webs'
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useUser } from '../../app/session.ts'
import styles from './deployment.module.css'

/** What a deployment is about; what it lacks is left out. */
export function Facts({ deployment }: { readonly deployment: Deployment }) {
  const { t } = useTranslation()
  const mayEdit = can(useUser(), websRoutes.editWeb.access)
  const { web_id: web, fqdn, request } = deployment
  const time = (iso: string | null) => iso && formatTime(iso)
  const mono = (text: string | null | undefined) => text && <span className={styles.mono}>{text}</span>
  const facts = {
    web:
      web !== null && mayEdit ? (
        <Anchor component={Link} to={`/hosting/edit/${web}`} inherit>
          {fqdn}
        </Anchor>
      ) : (
        web && fqdn
      ),
    node: mono(deployment.node),
    source: mono(request?.sourceRepo),
    repository: mono(deployment.repository),
    // A trial-day web has one name for both.
    bnName: request?.bnName !== request?.futureDomain && request?.bnName,
    customer: request?.customer,
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
