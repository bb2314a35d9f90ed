import type { AttentionEntry, AttentionKind } from '@kustos/contract/attention'

/** The entries of webs that one outage of their node explains. */
export interface Outage {
  readonly node: string
  readonly down: number
  readonly monitored: number
  /** Its id. */
  readonly incident: number
  readonly entries: readonly AttentionEntry[]
}

export interface KindGroup {
  readonly kind: AttentionKind
  readonly outages: readonly Outage[]
  /** The other ones. */
  readonly entries: readonly AttentionEntry[]
}

/** Groups the entries by kind and outage, in the order of the list. */
export const groupEntries = (entries: readonly AttentionEntry[]): readonly KindGroup[] =>
  [...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const byOutage = Map.groupBy(ofKind, ({ node_outage }) => node_outage?.incident_id ?? null)
    return {
      kind,
      outages: [...byOutage].flatMap(([incident, ofOutage]) => {
        const { node_outage: outage, node } = ofOutage[0] ?? {}
        if (incident === null || outage == null) return []
        const { down, monitored } = outage
        return [{ node: node ?? '', down, monitored, incident, entries: ofOutage }]
      }),
      entries: byOutage.get(null) ?? [],
    }
  })

/** The number of listed entries. */
export const countEntries = ({ outages, entries }: KindGroup) =>
  outages.reduce((sum, outage) => sum + outage.entries.length, entries.length)

/** Whether there are entries that are not listed. @param total the number of entries of the kind */
export const isCut = (group: KindGroup, total: number): boolean => countEntries(group) < total

/**
 * Whether webs of an outage may be among the entries that are not listed. Those that are down and have no entry are acknowledged or
 * snoozed.
 */
export const isOutageCut = (outage: Outage, group: KindGroup, total: number): boolean =>
  outage.entries.length < outage.down && isCut(group, total)
