import { formatTime } from '@kustos/contract/grid'
import type { NodeDetails, NodeOverview } from '@kustos/contract/nodes'
import { Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TagList } from '../../entities/tag/TagList.tsx'
import { FactList } from '../../ui/FactList.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import styles from './nodes.module.css'

type Fact = readonly [label: string, value: ReactNode]

const missing = (
  <Text span c="dimmed">
    –
  </Text>
)
const mono = (text: string | null) => (text === null ? missing : <span className={styles.mono}>{text}</span>)

/** The node itself; how it is reached only for those who manage nodes. */
export function NodeFacts({ node: { cloud_enabled, tags, details } }: { readonly node: NodeOverview }) {
  const { t } = useTranslation()
  const { columns, options } = t('gridLabels.nodes', { returnObjects: true })
  const facts: readonly Fact[] = [
    [
      columns.cloud_enabled,
      <StatusChip
        key="cloud_enabled"
        tone={cloud_enabled ? 'green' : 'grey'}
        text={options.cloud_enabled[cloud_enabled ? 'yes' : 'no']}
      />,
    ],
    ...(details === null ? [] : connectionFacts(details, t)),
    [columns.tags, tags.length > 0 ? <TagList key="tags" tags={tags} list="nodes" /> : missing],
  ]
  return (
    <Section title={t('customers.parts.facts')}>
      <FactList facts={facts} />
    </Section>
  )
}

function connectionFacts(node: NodeDetails, t: TFunction): readonly Fact[] {
  const { columns, options } = t('gridLabels.nodes', { returnObjects: true })
  const { ssh_host: host, ssh_user: user, ssh_port: port } = node
  const ssh = `${user === null ? '' : `${user}@`}${host ?? node.plesk_fqdn}:${port ?? 22}`
  return [
    [columns.plesk_fqdn, mono(`${node.plesk_fqdn}:${node.plesk_port ?? 8443}`)],
    [columns.plesk_key, options.plesk_key[node.has_plesk_key ? 'stored' : 'none']],
    ['SSH', mono(ssh)],
    [columns.host_key_fingerprint, mono(node.host_key_fingerprint)],
    [columns.address, mono(node.address)],
    [columns.updated_at, formatTime(node.updated_at)],
  ]
}
