import { attentionRoutes } from '@kustos/contract/attention'
import { websRoutes } from '@kustos/contract/webs'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AttentionSection } from '../../features/attention/AttentionSection.tsx'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { dashboardEntries } from '../access.ts'
import type { Entry } from '../screens.ts'
import { AreaCard } from './AreaCard.tsx'
import styles from './Dashboard.module.css'
import { FirstSteps } from './FirstSteps.tsx'
import { MonitoringFigures } from './MonitoringFigures.tsx'
import { QueueFigures } from './QueueFigures.tsx'
import { WebFigures } from './WebFigures.tsx'

const figures: Partial<Record<Entry['name'], ReactNode>> = {
  hosting: (
    <Can access={websRoutes.listWebs.access}>
      <WebFigures />
    </Can>
  ),
  monitoring: <MonitoringFigures />,
  queue: <QueueFigures />,
}

export default function Dashboard() {
  const { t } = useTranslation()
  const user = useUser()
  const entries = dashboardEntries(user)
  return (
    <>
      <PageHeader title={t('screens.home.title')} />
      {entries.length === 0 && (
        <EmptyState icon={IconLock} title={t('dashboard.nothing')} hint={t('dashboard.nothingHint')} />
      )}
      <FirstSteps />
      <Can access={attentionRoutes.listAttention.access}>
        <div className={styles.attention}>
          <AttentionSection />
        </div>
      </Can>
      <div className={styles.cards}>
        {entries.map((entry) => (
          <AreaCard key={entry.name} entry={entry}>
            {figures[entry.name]}
          </AreaCard>
        ))}
      </div>
    </>
  )
}
