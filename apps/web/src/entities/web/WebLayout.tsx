import { Anchor } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ApiError } from '../../platform/api-error.ts'
import { useUser } from '../../platform/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useRetry } from '../../ui/use-retry.ts'
import { MissingWeb } from './MissingWeb.tsx'
import { type NamedWeb, webHref } from './paths.ts'
import styles from './WebLayout.module.css'

interface Props<Web> {
  readonly id: string
  readonly query: UseQueryResult<Web, ApiError>
  readonly back: { readonly to: string; readonly label: string }
  /** The topic of a page about one aspect of the web; omitted on the web's main page. */
  readonly topic?: string
  readonly beside?: (web: Web) => ReactNode
  readonly actions?: (web: Web) => ReactNode
  /** As `MissingWeb` has it. */
  readonly offersDeleted?: boolean
  /** The web is undefined while loading. */
  readonly children: (web: Web | undefined) => ReactNode
}

/** The frame of a page about one web: back link, heading, document title, and the states of its query. */
export function WebLayout<Web extends NamedWeb>(props: Props<Web>) {
  const { id, query, back, topic, beside, actions, children } = props
  const { t } = useTranslation()
  const retry = useRetry()
  const { data: web, error } = query
  const fqdn = web?.fqdn
  useEffect(() => {
    const parts = [fqdn, topic, t('app.title')]
    if (fqdn !== undefined) document.title = parts.filter((part) => part !== undefined).join(' · ')
  }, [fqdn, topic, t])
  // An invalid id is rejected as input.
  const isMissing = error?.status === 404 || error?.status === 422
  const known = isMissing ? undefined : web
  return (
    <>
      <BackLink {...back} />
      <PageHeader
        title={topic ?? known?.fqdn ?? t('ui.web.untitled', { id })}
        {...(known !== undefined && {
          beside: (
            <div className={styles.beside}>
              {topic !== undefined && <Name web={known} />}
              {beside?.(known)}
            </div>
          ),
          actions: actions?.(known),
        })}
      />
      {isMissing ? (
        <MissingWeb {...props} />
      ) : (
        <div className={styles.sections}>
          {error !== null && (
            <Failure error={error} onRetry={retry} retrying={query.isFetching} stale={web !== undefined} />
          )}
          {/* Without the web its sections would never load. */}
          {(known !== undefined || error === null) && children(known)}
        </div>
      )}
    </>
  )
}

function Name({ web }: { readonly web: NamedWeb }) {
  const href = webHref(useUser(), web)
  const isLink = href !== null && !window.location.pathname.startsWith(href)
  return isLink ? (
    <Anchor component={Link} to={href} className={styles.fqdn}>
      {web.fqdn}
    </Anchor>
  ) : (
    <span className={styles.fqdn}>{web.fqdn}</span>
  )
}
