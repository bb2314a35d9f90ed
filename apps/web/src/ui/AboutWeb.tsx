import { Anchor, Button, Group } from '@mantine/core'
import { IconWorldOff } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ApiError } from '../app/api-error.ts'
import { useUser } from '../app/session.ts'
import { webHref } from '../app/web-paths.ts'
import styles from './AboutWeb.module.css'
import { BackLink } from './BackLink.tsx'
import { EmptyState } from './EmptyState.tsx'
import { Failure } from './Failure.tsx'
import { PageHeader } from './PageHeader.tsx'
import { useRetry } from './use-retry.ts'

interface NamedWeb {
  readonly id: number
  readonly fqdn: string
}

interface Props<Web> {
  /** As the address has it. */
  readonly id: string
  readonly query: UseQueryResult<Web, ApiError>
  /** The list that the page belongs to. */
  readonly back: { readonly to: string; readonly label: string }
  /** What the page tells of the web; left out where it is the page about all of it. */
  readonly topic?: string
  /** Beside the heading, once the web is there. */
  readonly beside?: (web: Web) => ReactNode
  readonly actions?: (web: Web) => ReactNode
  /** Where there is no such web: another next step than the list. */
  readonly elsewhere?: ReactNode
  /** The sections; the web is undefined until it is there. */
  readonly children: (web: Web | undefined) => ReactNode
}

/** The frame of a page about one web: its heading, its title, and what stands there where it is not known. */
export function AboutWeb<Web extends NamedWeb>(props: Props<Web>) {
  const { id, query, back, topic, beside, actions, children } = props
  const { t } = useTranslation()
  const retry = useRetry()
  const { data: web, error } = query
  const fqdn = web?.fqdn
  useEffect(() => {
    const parts = [fqdn, topic, t('app.title')]
    if (fqdn !== undefined) document.title = parts.filter((part) => part !== undefined).join(' · ')
  }, [fqdn, topic, t])
  // What is no id at all is refused as input.
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
        <Missing {...props} />
      ) : (
        <div className={styles.sections}>
          {error !== null && (
            <Failure error={error} onRetry={retry} retrying={query.isFetching} stale={web !== undefined} />
          )}
          {/* Without the web its sections would wait for ever. */}
          {(known !== undefined || error === null) && children(known)}
        </div>
      )}
    </>
  )
}

/** Which web it is, with the way to the page about it for those who may see that. */
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

function Missing({ id, back, elsewhere }: Pick<Props<NamedWeb>, 'id' | 'back' | 'elsewhere'>) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconWorldOff}
      title={t('ui.web.missing', { id })}
      hint={t('ui.web.missingHint')}
      action={
        <Group gap="xs" justify="center">
          <Button component={Link} to={back.to}>
            {back.label}
          </Button>
          {elsewhere}
        </Group>
      }
    />
  )
}
