import { withOrWithoutWww } from '@kustos/clients/dns'
import type { NameKind } from '@kustos/contract/certificates'
import { asciiFqdn } from '@kustos/contract/webs'

export interface WebName {
  /** In ASCII. */
  readonly name: string
  readonly kind: NameKind
}

interface NamedWeb {
  readonly fqdn_ascii: string
  readonly sites: readonly { readonly fqdn: string }[]
  readonly aliases: readonly { readonly fqdn: string }[]
}

/** More would take longer than a web should. */
const maxNames = 200

/** Returns the names under which a web is visited: its own first, and without those that are no host names, such as `*.a.test`. */
export function namesOf({ fqdn_ascii: own, sites, aliases }: NamedWeb): readonly WebName[] {
  const names: readonly (readonly [string | null, NameKind])[] = [
    [own, 'main'],
    ...sites.map(({ fqdn }) => [asciiFqdn(fqdn), 'site'] as const),
    ...aliases.map(({ fqdn }) => [asciiFqdn(fqdn), 'alias'] as const),
    [withOrWithoutWww(own), 'www'],
  ]
  const known = new Map<string, WebName>()
  for (const [name, kind] of names) if (name !== null && !known.has(name)) known.set(name, { name, kind })
  return [...known.values()].slice(0, maxNames)
}
