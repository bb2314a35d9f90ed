import type { NodeOverview } from '@kustos/contract/nodes'
import type { WebSummary } from '@kustos/contract/web-summary'
import { frameworkSupport } from '@kustos/contract/webs'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isMarked, supportTones } from '../../entities/web/web-cells.tsx'
import { FactList } from '../../ui/FactList.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { countFrameworks } from './count-frameworks.ts'
import styles from './nodes.module.css'

/** The programs on a node, as far as they are known and the user may see them. */
export function NodeSoftware({ node: { software, webs } }: { readonly node: NodeOverview }) {
  const { t } = useTranslation()
  const unknown = (
    <Text span c="dimmed">
      {t('nodes.discovery.unknown')}
    </Text>
  )
  return (
    <Section title={t('nodes.page.software')}>
      <FactList
        facts={[
          ...(software === null
            ? []
            : ([
                ['Plesk', software.plesk ?? unknown],
                [
                  'PHP',
                  software.php.length === 0 ? (
                    unknown
                  ) : (
                    <Versions key="php">
                      {software.php.map(({ version, webs: count }) => (
                        <Version key={version} name={version ?? unknown} count={count} />
                      ))}
                    </Versions>
                  ),
                ],
              ] as const)),
          ...(webs === null
            ? []
            : ([[t('nodes.page.frameworks'), <Frameworks key="frameworks" webs={webs} />]] as const)),
        ]}
      />
    </Section>
  )
}

function Frameworks({ webs }: { readonly webs: readonly WebSummary[] }) {
  const { t } = useTranslation()
  const now = new Date()
  const found = countFrameworks(webs)
  if (found.length === 0) return '–'
  return (
    <Versions>
      {found.map(({ name, version, count }) => {
        const known = frameworkSupport(name, version, now)
        const text = [name, version].filter((part) => part !== null).join(' ')
        return (
          <Version
            key={text}
            name={
              known !== null && isMarked(known.support) ? (
                <>
                  {text}{' '}
                  <StatusChip tone={supportTones[known.support]} text={t(`webs.support.${known.support}`)} />
                </>
              ) : (
                text
              )
            }
            count={count}
          />
        )
      })}
    </Versions>
  )
}

const Versions = ({ children }: { readonly children: ReactNode }) => (
  <ul className={styles.versions}>{children}</ul>
)

function Version({ name, count }: { readonly name: ReactNode; readonly count: number }) {
  const { t } = useTranslation()
  return (
    <li>
      {name} <span className={styles.count}>{t('actions.webs', { count })}</span>
    </li>
  )
}
