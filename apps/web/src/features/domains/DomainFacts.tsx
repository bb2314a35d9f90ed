import type { DomainRecords } from '@kustos/contract/domains'
import { formatTime } from '@kustos/contract/grid'
import { Anchor } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { CustomerLink } from '../../entities/customer/CustomerLink.tsx'
import { domainPath } from '../../entities/domain/paths.ts'
import { webPath } from '../../entities/web/paths.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Section } from '../../ui/Section.tsx'

const maxWebs = 10

export function DomainFacts({ domain }: { readonly domain: DomainRecords }) {
  const { t } = useTranslation()
  const { fqdn, domain: parent, customers, webs, read_at: readAt } = domain
  const facts: Readonly<Record<string, ReactNode>> = {
    [t('domains.part')]: parent !== fqdn && (
      <Anchor component={Link} to={domainPath(parent)} inherit>
        {parent}
      </Anchor>
    ),
    [t('domains.customers')]:
      customers.length > 0 && separate(customers.map((code) => <CustomerLink key={code} code={code} />)),
    [t('domains.webs')]: webs.length > 0 && (
      <>
        {separate(
          webs.slice(0, maxWebs).map((web) => (
            <Anchor key={web.id} component={Link} to={webPath(web.id)} inherit>
              {web.fqdn}
            </Anchor>
          )),
        )}
        {webs.length > maxWebs && ` ${t('domains.moreWebs', { count: webs.length - maxWebs })}`}
      </>
    ),
    [t('domains.read')]: readAt === null ? t('domains.never') : formatTime(readAt),
  }
  return (
    <Section title={t('domains.facts')}>
      <FactList facts={Object.entries(facts).filter(([, fact]) => Boolean(fact))} />
    </Section>
  )
}

const separate = (nodes: readonly ReactNode[]) =>
  nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the nodes have keys of their own, and never change their order.
    <Fragment key={index}>
      {index > 0 && ', '}
      {node}
    </Fragment>
  ))
