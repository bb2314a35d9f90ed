import { type IncidentDetails, incidentsRoutes } from '@kustos/contract/incidents'
import { Button } from '@mantine/core'
import {
  IconBell,
  IconBellZ,
  IconCheck,
  IconRotate,
  IconUserCheck,
  IconUserMinus,
  IconUserPlus,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { AcknowledgeDialog, AssignDialog, SnoozeDialog } from './IncidentDialogs.tsx'
import { staleRoutes } from './stale-routes.ts'

const { assignIncident, endIncidentSnooze, unassignIncident, withdrawIncidentAcknowledgement } =
  incidentsRoutes

type Undo = typeof endIncidentSnooze | typeof unassignIncident | typeof withdrawIncidentAcknowledgement
type Change = typeof assignIncident | Undo

interface Props {
  readonly incident: IncidentDetails
  readonly title: string
}

/** What can be done about an open incident. Of an outage, it holds for all of its webs. */
export function IncidentActions({ incident, title }: Props) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'acknowledge' | 'assign' | 'snooze' | null>(null)
  const close = () => setDialog(null)
  const user = useUser()
  const params = { id: incident.id }
  const [running, setRunning] = useState<Change | null>(null)
  async function change(route: Change, done: string, send: () => Promise<unknown>) {
    setRunning(route)
    try {
      await notifyOutcome(title, done, send)
    } finally {
      setRunning(null)
    }
  }
  const undo = (route: Undo, done: string) => change(route, done, () => write(route, { params }, staleRoutes))
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
      {user !== null && incident.assigned_to?.id !== user.id && (
        <Button
          variant="default"
          leftSection={<IconUserCheck size={16} />}
          loading={running === assignIncident}
          onClick={() =>
            void change(assignIncident, t('attention.done.assigned', { user: user.email }), () =>
              write(assignIncident, { params, body: { user: user.id } }, staleRoutes),
            )
          }
        >
          {t('attention.take')}
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
