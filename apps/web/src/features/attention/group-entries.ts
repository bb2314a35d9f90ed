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
    const byOutage = Map.groupBy(ofKind, ({ node_outage }) => node_outage?.node_id ?? null)
    return {
      kind,
      outages: [...byOutage].flatMap(([node, ofNode]) => {
        const { node_outage: outage, node: name } = ofNode[0] ?? {}
        if (node === null || outage == null) return []
        const { down, monitored, incident_id: incident } = outage
        return [{ node: name ?? '', down, monitored, incident, entries: ofNode }]
      }),
      entries: byOutage.get(null) ?? [],
    }
  })
