import {
  type MaintenanceWindow,
  maintenancePath,
  maintenanceRoutes,
  maintenanceStateOptions,
} from '@kustos/contract/maintenance'
import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { IconBarrierBlock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useRoute } from '../../platform/query.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { MaintenanceChip } from './MaintenanceChip.tsx'
import { planMaintenancePath } from './paths.ts'
import { useScheduleText } from './use-schedule-text.ts'

/** What the section is about. A web is named by its id. */
type Subject = { readonly web: string } | { readonly node: string } | { readonly customer: string }

/** The windows that run or are planned for something, and a button to plan another one. */
export function MaintenanceSection({ of }: { readonly of: Subject }) {
  const { t } = useTranslation()
  const query = useRoute(maintenanceRoutes.listWindows, { query: of })
  const plan = planMaintenancePath('web' in of ? { webs: [Number(of.web)] } : of)
  return (
    <Section
      title={t('screens.maintenance.title')}
      beside={
        <LinkButton
          to={plan}
          label={t('maintenance.plan')}
          icon={IconBarrierBlock}
          access={maintenanceRoutes.planWindow.access}
          variant="default"
        />
      }
    >
      <QueryState query={query} skeleton={<Skeleton h={40} />}>
        {({ data }) => <Windows windows={data.filter(({ state }) => state !== 'past')} />}
      </QueryState>
    </Section>
  )
}

function Windows({ windows }: { readonly windows: readonly MaintenanceWindow[] }) {
  const { t } = useTranslation()
  const scheduleText = useScheduleText()
  const states = t('gridLabels.maintenance.options.state', { returnObjects: true })
  const toneOf = (state: string) =>
    maintenanceStateOptions.find(({ value }) => value === state)?.tone ?? 'grey'
  if (windows.length === 0) return <Text c="dimmed">{t('maintenance.none')}</Text>
  return (
    <Stack gap="sm">
      {windows.map((window) => (
        <div key={window.id}>
          {window.running_until === null ? (
            <StatusChip tone={toneOf(window.state)} text={states[window.state]} />
          ) : (
            <MaintenanceChip until={window.running_until} />
          )}{' '}
          <Anchor component={Link} to={`${maintenancePath}?q=${encodeURIComponent(window.reason)}`}>
            {window.reason}
          </Anchor>
          <Text c="dimmed" fz="sm">
            {scheduleText(window)}
          </Text>
        </div>
      ))}
    </Stack>
  )
}
