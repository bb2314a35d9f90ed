import { type NodeDrift as Drift, discoveryColumns, discoveryStates } from '@kustos/contract/nodes'
import { Anchor, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { InspectionFailure } from '../../entities/inspection/InspectionFailure.tsx'
import { discoveryPath } from '../../entities/node/paths.ts'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'

interface Props {
  readonly node: number
  readonly drift: Drift
}

const options = discoveryColumns.columns.find(({ key }) => key === 'state')?.options ?? []

/** How far the node and the webs that Kustos knows have drifted apart. */
export function NodeDrift({ node, drift: { inspection, read_at, counts } }: Props) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const found = discoveryStates.filter((state) => counts[state] > 0)
  return (
    <Section
      title={t('nodes.page.drift')}
      beside={
        <Anchor component={Link} to={discoveryPath(node)}>
          {t('nodes.discovery.label')}
        </Anchor>
      }
    >
      <InspectionFailure inspection={inspection ?? undefined} title={t('nodes.discovery.failed')} />
      {found.length > 0 && (
        <Group gap="xs">
          {found.map((state) => (
            <StatusChip
              key={state}
              tone={options.find(({ value }) => value === state)?.tone ?? 'grey'}
              text={`${counts[state]} ${t(`gridLabels.discovery.options.state.${state}`)}`}
            />
          ))}
        </Group>
      )}
      <Text c="dimmed">
        {read_at === null
          ? t('nodes.discovery.notScanned')
          : t('nodes.page.scanned', { ago: timeAgo(read_at, now, i18n.language) })}
      </Text>
    </Section>
  )
}
