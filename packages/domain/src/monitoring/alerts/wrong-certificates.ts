import { wrongStates } from '@kustos/contract/certificates'
import type { Transaction } from '@kustos/database/client'
import { nodes, webCertificates, webs } from '@kustos/database/tables'
import { and, asc, eq, inArray, isNull, lt, ne, not, or, sql } from 'drizzle-orm'
import { isInMaintenance } from '../../maintenance/index.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { monitoredWebs } from '../monitored-webs.ts'
import { toWarningEvent } from './alert-event.ts'
import { type AlertedWeb, alertedWebColumns } from './event.ts'
import {
  type ComposedAlert,
  linksTo,
  minListed,
  toComposedAlert,
  truncateList,
  webDetails,
} from './message-parts.ts'

interface WrongName {
  readonly web: AlertedWeb
  readonly name: string
  readonly state: string
  /** Why browsers refuse the certificate. */
  readonly reason: string
}

/** The same fault of a name is announced again after this time at the earliest: servers behind one name may differ. */
const quietMs = 86_400_000

/** An expired certificate is announced by its end; the web's own takes it down, unless it is only an older one. */
const announcedStates = wrongStates.filter((state) => state !== 'expired')

/** Marks the names whose certificate has become wrong as announced, and returns them. */
export async function takeWrongNames(
  tx: Transaction,
  internalMarker: string,
  now: Date,
): Promise<readonly WrongName[]> {
  const isUnannounced = or(
    isNull(webCertificates.announced_at),
    and(
      lt(webCertificates.announced_at, webCertificates.wrong_since),
      or(
        ne(webCertificates.announced_state, webCertificates.state),
        lt(webCertificates.announced_at, new Date(now.getTime() - quietMs)),
      ),
    ),
  )
  const rows = await tx
    .select({
      web: alertedWebColumns,
      node: { id: nodes.id, name: nodes.name },
      name: webCertificates.name,
      state: webCertificates.state,
      reason: webCertificates.reason,
    })
    .from(webCertificates)
    .innerJoin(webs, eq(webs.id, webCertificates.web_id))
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(
      and(
        sql`${webCertificates.wrong_since} is not null`,
        inArray(webCertificates.state, announcedStates),
        or(ne(webCertificates.kind, 'main'), eq(webCertificates.state, 'replaced')),
        isUnannounced,
        monitoredWebs(internalMarker),
        not(isInMaintenance(sql`${webs.id}`, now)),
      ),
    )
    .orderBy(asc(webCertificates.web_id), asc(webCertificates.name))
  if (rows.length > 0)
    await tx
      .update(webCertificates)
      .set({ announced_at: now, announced_state: sql`${webCertificates.state}` })
      .where(
        and(
          isAnyOf(
            webCertificates.web_id,
            rows.map(({ web }) => web.id),
          ),
          sql`${webCertificates.name} = any(${sql.param(rows.map(({ name }) => name))}::text[])`,
        ),
      )
  return rows.map(({ web, node, reason, ...row }) => ({
    web: { ...web, node },
    reason: reason ?? '',
    ...row,
  }))
}

export function composeWrongNames(
  wrong: readonly WrongName[],
  publicUrl: string | null,
): readonly ComposedAlert[] {
  const links = linksTo(publicUrl)
  const titleOf = ({ name, reason }: WrongName) => `The certificate of ${name} is wrong: ${reason}`
  const eventOf = (some: readonly WrongName[]) =>
    toWarningEvent(
      'certificate',
      // Browsers take an older one as well.
      some.every(({ state }) => state === 'replaced') ? 'warning' : 'critical',
      some.map((one) => ({ kind: 'certificate', id: one.web.id, name: one.name, title: titleOf(one) })),
    )
  if (wrong.length < minListed)
    return wrong.map((one) => ({
      event: eventOf([one]),
      ...toComposedAlert([one.web], {
        title: titleOf(one),
        lines: [...(one.name === one.web.fqdn ? [] : [`Web: ${one.web.fqdn}`]), ...webDetails(one.web)],
        ...links.web(one.web),
      }),
    }))
  const list = {
    title: `Certificates that are wrong: ${wrong.length}`,
    lines: truncateList(wrong.map(({ web, name, reason }) => `${name} (${web.customer}): ${reason}`)),
    ...links.list,
  }
  const about = wrong.map(({ web }) => web)
  return [{ event: eventOf(wrong), ...toComposedAlert(about, list) }]
}
