import type { DomainRecords } from '@kustos/contract/domains'
import { formatTime } from '@kustos/contract/grid'
import { Anchor } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { CustomerLink } from '../../entities/customer/CustomerLink.tsx'
import { domainPath, mailboxPath } from '../../entities/domain/paths.ts'
import { webPath } from '../../entities/web/paths.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Section } from '../../ui/Section.tsx'

const maxShown = 10

export function DomainFacts({ domain }: { readonly domain: DomainRecords }) {
  const { t } = useTranslation()
  const { fqdn, domain: parent, domainprovider: provider, customers, webs, mailboxes } = domain
  const shorten = (names: readonly ReactNode[]) => (
    <>
      {separate(names.slice(0, maxShown))}
      {names.length > maxShown && ` ${t('domains.more', { count: names.length - maxShown })}`}
    </>
  )
  const facts: Readonly<Record<string, ReactNode>> = {
    [t('domains.part')]: parent !== fqdn && (
      <Anchor component={Link} to={domainPath(parent)} inherit>
        {parent}
      </Anchor>
    ),
    [t('gridLabels.domains.columns.domainprovider')]: provider,
    [t('domains.customers')]:
      customers.length > 0 && separate(customers.map((code) => <CustomerLink key={code} code={code} />)),
    [t('domains.webs')]:
      webs.length > 0 &&
      shorten(
        webs.map((web) => (
          <Anchor key={web.id} component={Link} to={webPath(web.id)} inherit>
            {web.fqdn}
          </Anchor>
        )),
      ),
    [t('domains.mailboxes')]:
      mailboxes !== null &&
      mailboxes.length > 0 &&
      shorten(
        mailboxes.map((address) => (
          <Anchor key={address} component={Link} to={mailboxPath(address)} inherit>
            {address}
          </Anchor>
        )),
      ),
    [t('domains.read')]: domain.read_at === null ? t('domains.never') : formatTime(domain.read_at),
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
