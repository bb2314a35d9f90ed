import { alertChannelsPath } from '@kustos/contract/alert-channels'
import type { AttentionEntry } from '@kustos/contract/attention'
import { formatTime } from '@kustos/contract/grid'
import type { PermissionHolder } from '@kustos/contract/permissions'
import { viewPath } from '@kustos/contract/views'
import { Anchor, Text } from '@mantine/core'
import { Fragment, memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { CustomerLink } from '../../entities/customer/CustomerLink.tsx'
import { domainPath } from '../../entities/domain/paths.ts'
import { incidentPath } from '../../entities/incident/paths.ts'
import { NodeLink } from '../../entities/node/NodeLink.tsx'
import { nodePath } from '../../entities/node/paths.ts'
import { displayUrls } from '../../entities/tracking/display-host.ts'
import { webHref } from '../../entities/web/paths.ts'
import { storedText } from '../../platform/message-text.ts'
import { useUser } from '../../platform/session.ts'
import { timeAgo } from '../../ui/times.ts'
import { Age, TimeLeft } from './Age.tsx'
import styles from './attention.module.css'
import { EntryButtons } from './EntryButtons.tsx'
import { upcomingEnd } from './entry-end.ts'
import type { EntryTools } from './entry-tools.ts'
import { isSnoozed } from './handling-state.ts'
import { useSubject } from './use-subject.ts'

interface Props {
  readonly entry: AttentionEntry
  readonly tools: EntryTools
}

/** There may be thousands, of which few change when the list is read again. */
export const EntryRow = memo(({ entry, tools: { now, openDialog, nextActionsOn, without } }: Props) => {
  const { t, i18n } = useTranslation()
  const target = { entry, isGroup: false }
  const facts = useFacts(entry, now, without)
  // How long it has been in the list would read like the time that is left.
  const end = upcomingEnd(entry, now)
  const reason =
    entry.reason === null ? '' : displayUrls(storedText(entry.reason, entry.reason_code, entry.reason_params))
  const { acknowledged_by: acknowledger, acknowledged_at, assigned_to, snoozed_by, snoozed_until } = entry
  const states = [
    acknowledged_at !== null &&
      t('attention.acknowledgedBy', {
        user: acknowledger?.email ?? '–',
        time: timeAgo(acknowledged_at, now, i18n.language),
      }),
    assigned_to !== null && t('attention.assignedTo', { user: assigned_to.email }),
    // The list is read again when a snooze ends.
    snoozed_until !== null &&
      isSnoozed(entry) &&
      t('attention.snoozedUntil', { time: formatTime(snoozed_until), user: snoozed_by?.email ?? '–' }),
  ].filter((text) => text !== false)
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <Subject entry={entry} />
        <Text c="dimmed" className={styles.facts}>
          {facts.map(([name, fact], index) => (
            <Fragment key={name}>
              {index > 0 && ' · '}
              {fact}
            </Fragment>
          ))}
          {reason !== '' && (
            // In the words of a node or a service.
            <span translate="no">{facts.length === 0 ? reason : ` · ${reason}`}</span>
          )}
        </Text>
        {states.length > 0 && <Text className={styles.facts}>{states.join(' · ')}</Text>}
        {entry.note !== null && (
          <Text className={styles.note} translate="no">
            {t('ui.quoted', { text: entry.note })}
          </Text>
        )}
      </div>
      {end === null ? <Age since={entry.since} /> : <TimeLeft until={end} now={now} />}
      <EntryButtons target={target} next={nextActionsOn(entry)} openDialog={openDialog} />
    </li>
  )
})

function Subject({ entry }: { readonly entry: AttentionEntry }) {
  const user = useUser()
  const name = useSubject()({ entry, isGroup: false })
  const path = pathOf(entry, name, user)
  return path === null ? (
    <Text fw={500}>{name}</Text>
  ) : (
    <Anchor component={Link} to={path} fw={500} className={styles.subject}>
      {name}
    </Anchor>
  )
}

/** Entries about domains. */
const domainKinds: ReadonlySet<AttentionEntry['kind']> = new Set([
  'domain_expiring',
  'external_domain_expiring',
  'dns_changed',
])

/** Null for what has no page that the user may see. */
function pathOf(
  { kind, web_id: web, deployment, view }: AttentionEntry,
  name: string,
  user: PermissionHolder | null,
) {
  if (view !== null) return viewPath(view)
  if (deployment !== null) return `/queue/${deployment.id}`
  if (kind === 'alert_channel_refusing') return alertChannelsPath
  if (kind === 'node_sync_failing') return nodePath(name)
  if (domainKinds.has(kind)) return domainPath(name)
  return web === null ? null : webHref(user, { id: web, fqdn: name })
}

/** What is known of an entry besides its subject and its reason. */
function useFacts(
  entry: AttentionEntry,
  now: number,
  without: EntryTools['without'],
): readonly (readonly [name: string, fact: ReactNode])[] {
  const { t } = useTranslation()
  const {
    kind,
    customer,
    node,
    subject,
    deployment,
    until,
    framework,
    services,
    view,
    incident_id: incident,
  } = entry
  const end =
    until === null
      ? ''
      : t(Date.parse(until) > now ? 'attention.expires' : 'attention.expired', { time: formatTime(until) })
  const detail = {
    framework_unsupported: t('attention.unsupported', {
      framework: framework ?? '',
      // The last day in UTC, as everywhere.
      date: until?.slice(0, 10).replaceAll('-', '/') ?? '',
    }),
    certificate_expiring: end,
    domain_expiring: end,
    external_domain_expiring: end,
    tracking_without_consent: services
      .map((service) => t(`tracking.topics.${service as 'matomo'}`, { defaultValue: service }))
      .join(', '),
    view_entered: view && (
      <>
        <span translate="no">{view.names.join(', ')}</span>
        {view.entered > view.names.length &&
          ` ${t('attention.entered.more', { count: view.entered - view.names.length })}`}
      </>
    ),
  }[kind as string]
  const facts: Readonly<Record<string, ReactNode>> = {
    customer: customer !== null && customer !== '' && without !== 'customer' && (
      <CustomerLink code={customer} />
    ),
    node: node !== null && node !== subject && without !== 'node' && <NodeLink name={node} />,
    incident: incident !== null && (
      <Anchor component={Link} to={incidentPath(incident)} inherit>
        {t('attention.incident')}
      </Anchor>
    ),
    deployment: deployment && t(`actions.${deployment.kind}.label`),
    detail,
  }
  return Object.entries(facts).filter(([, fact]) => Boolean(fact))
}
