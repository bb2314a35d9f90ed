import { type IncidentDetails, incidentsRoutes } from '@kustos/contract/incidents'
import { Button } from '@mantine/core'
import { IconBell, IconBellZ, IconCheck, IconRotate, IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { AcknowledgeDialog, AssignDialog, SnoozeDialog } from './IncidentDialogs.tsx'
import { staleRoutes } from './stale-routes.ts'

const { endIncidentSnooze, unassignIncident, withdrawIncidentAcknowledgement } = incidentsRoutes

type Undo = typeof endIncidentSnooze | typeof unassignIncident | typeof withdrawIncidentAcknowledgement

interface Props {
  readonly incident: IncidentDetails
  readonly title: string
}

/** What can be done about an open incident. Of an outage, it holds for all of its webs. */
export function IncidentActions({ incident, title }: Props) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'acknowledge' | 'assign' | 'snooze' | null>(null)
  const close = () => setDialog(null)
  const [running, setRunning] = useState<Undo | null>(null)
  async function undo(route: Undo, done: string) {
    setRunning(route)
    try {
      await notifyOutcome(title, done, () => write(route, { params: { id: incident.id } }, staleRoutes))
    } finally {
      setRunning(null)
    }
  }
  return (
    <>
      {incident.acknowledged_at === null ? (
        <Button leftSection={<IconCheck size={16} />} onClick={() => setDialog('acknowledge')}>
          {t('incidents.acknowledge')}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconRotate size={16} />}
          loading={running === withdrawIncidentAcknowledgement}
          onClick={() => void undo(withdrawIncidentAcknowledgement, t('attention.done.withdrawn'))}
        >
          {t('incidents.withdraw')}
        </Button>
      )}
      <Button variant="default" leftSection={<IconUserPlus size={16} />} onClick={() => setDialog('assign')}>
        {t('incidents.assign')}
      </Button>
      {incident.assigned_to !== null && (
        <Button
          variant="default"
          leftSection={<IconUserMinus size={16} />}
          loading={running === unassignIncident}
          onClick={() => void undo(unassignIncident, t('attention.done.unassigned'))}
        >
          {t('incidents.unassign')}
        </Button>
      )}
      {incident.snoozed_until === null ? (
        <Button variant="default" leftSection={<IconBellZ size={16} />} onClick={() => setDialog('snooze')}>
          {t('incidents.snooze')}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconBell size={16} />}
          loading={running === endIncidentSnooze}
          onClick={() => void undo(endIncidentSnooze, t('attention.done.snoozeEnded'))}
        >
          {t('incidents.endSnooze')}
        </Button>
      )}
      {dialog === 'acknowledge' && <AcknowledgeDialog incident={incident} title={title} onClose={close} />}
      {dialog === 'assign' && <AssignDialog incident={incident} title={title} onClose={close} />}
      {dialog === 'snooze' && <SnoozeDialog incident={incident} title={title} onClose={close} />}
    </>
  )
}
