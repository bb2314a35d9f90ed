import { nodesRoutes } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { Anchor, Button, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { incidentPath } from '../../entities/incident/paths.ts'
import { nodePath } from '../../entities/node/paths.ts'
import { useUser } from '../../platform/session.ts'
import { Age } from './Age.tsx'
import styles from './attention.module.css'
import { EntryButtons } from './EntryButtons.tsx'
import { EntryRow } from './EntryRow.tsx'
import type { EntryTools } from './entry-tools.ts'
import type { Outage } from './group-entries.ts'

interface Props {
  readonly outage: Outage
  /** Leads to all of its webs, if only some are listed. */
  readonly more: ReactNode
  readonly tools: EntryTools
}

/** The webs of a node that are down together, which are handled as one. */
export function OutageRow({ outage: { node, down, monitored, incident, entries }, more, tools }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const list = useId()
  const maySeeNode = can(useUser(), nodesRoutes.readNodeOverview.access)
  const title = t('attention.outage', { node, down, monitored })
  const [first] = entries
  if (first === undefined) return null
  const [since = first.since] = entries.map((entry) => entry.since).toSorted()
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <li className={styles.row}>
        <div className={styles.text}>
          {maySeeNode && tools.without !== 'node' ? (
            <Anchor component={Link} to={nodePath(node)} fw={500} className={styles.subject}>
              {title}
            </Anchor>
          ) : (
            <Text fw={500}>{title}</Text>
          )}
          <Anchor component={Link} to={incidentPath(incident)} inherit>
            {t('attention.incident')}
          </Anchor>{' '}
          {more ?? (
            <Button
              variant="subtle"
              size="compact-xs"
              className={styles.toggle}
              leftSection={<Chevron size={14} />}
              aria-expanded={isOpen}
              aria-controls={list}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? t('attention.hideWebs') : t('attention.showWebs', { count: entries.length })}
            </Button>
          )}
        </div>
        <Age since={since} />
        <EntryButtons target={{ entry: first, isGroup: true }} next={[]} openDialog={tools.openDialog} />
      </li>
      <li id={list} hidden={!isOpen} className={styles.members}>
        <ul className={styles.list}>
          {isOpen && entries.map((entry) => <EntryRow key={entry.id} entry={entry} tools={tools} />)}
        </ul>
      </li>
    </>
  )
}
