import { domainStatus } from '@kustos/contract/webs'
import { regularWebs } from './agency.ts'
import { oddWebs } from './oddities.ts'
import { seedNodes } from './places.ts'
import type { WebStory } from './web.ts'

/**
 * What name servers say of a domain: that it is on a node of ours (`here`) or on somebody else's machine (`elsewhere`),
 * that it is registered and leads nowhere (`bare`), that there is none (`gone`). `silent` ones nobody answers for, and
 * `refused` ones the name server does not want to talk about.
 */
export type Whereabouts = 'here' | 'elsewhere' | 'bare' | 'gone' | 'silent' | 'refused'

export interface DomainStory {
  readonly fqdn: string
  readonly customer: string
  readonly where: Whereabouts
  /** Of the node, for those that are here. */
  readonly address: string
  /** The primary name server. */
  readonly mname: string
}

export interface ExternalDomainStory extends DomainStory {
  readonly domainprovider: string
}

/** Who keeps external domains, and on which name server. */
const providers = {
  registro: ['Registro Hosting S.r.l.', 'dns1.registro-hosting.test'],
  alpen: ['Alpen-Domains GmbH', 'ns.alpen-domains.test'],
  customer: ['Kunde selbst', 'ns1.kunden-dns.test'],
  tirol: [
    'Internet- und Domainverwaltungsgesellschaft des Tiroler Fremdenverkehrs mbH & Co. KG, Außenstelle Kitzbühel',
    'a.ns.tirol-verwaltung.test',
  ],
} as const
type Provider = keyof typeof providers

const [firstNode] = seedNodes

/** Domains of webs of ours that are not at our registrar. */
const keptElsewhere: Readonly<Record<string, Provider>> = {
  'weingut-kögl.test': 'alpen',
  'bäckerei-plörer.test': 'customer',
  'hotel-bellavista-garda.test': 'registro',
  'trattoria-al-ponte.test': 'registro',
  'fußballverein-lana.test': 'customer',
  'caffè-aurora.test': 'registro',
  'città-di-chiusa.test': 'registro',
  'sportalm-kitz.test': 'tirol',
  'apotheke-zur-mariahilf.test': 'tirol',
  'metallbau-isarwinkel.test': 'alpen',
  'garni-schönblick.test': 'alpen',
}

type Told = readonly [fqdn: string, customer: string, where: Whereabouts]

/** Domains without a web in the inventory. */
const parked: readonly Told[] = [
  ['alpenhof.test', 'ALPENHOF', 'here'],
  ['rosengarten-hotel.test', 'ROSENGARTEN', 'elsewhere'],
  ['hoefe-suedtirol.test', '118450', 'here'],
  ['muellerbraeu.test', 'MÜLLERBRÄU', 'here'],
  ['loewen-gasthof.test', 'LÖWEN', 'bare'],
  ['weihnachtsmarkt-lana.test', 'LANA', 'gone'],
  ['kustos-agentur.test', 'KUSTOS', 'here'],
  ['alter-webshop-höller.test', 'HÖLLER', 'gone'],
  ['nameserver-umzug.test', 'KUSTOS', 'silent'],
]

const outside: readonly (readonly [...Told, Provider])[] = [
  ['almhütte-stöckl.test', 'ALMHÜTTE', 'elsewhere', 'alpen'],
  ['gasthaus-zum-hirschen.test', '104501', 'elsewhere', 'customer'],
  ['agriturismo-le-querce.test', 'QUERCE', 'elsewhere', 'registro'],
  ['pizzeria-vesuvio-bozen.test', 'VESUVIO', 'elsewhere', 'registro'],
  ['kräuterhof-maier.test', 'KRÄUTER', 'bare', 'customer'],
  ['kampagne-sommer.test', 'BERGBAHNEN', 'bare', 'alpen'],
  ['ötzi-trekking.test', 'ÖTZI', 'gone', 'alpen'],
  ['bergfex-radverleih.test', '118470', 'gone', 'customer'],
  ['gasthof-krone-alt.test', 'KRONE', 'gone', 'tirol'],
  ['hotel-rosengarten-alt.test', 'ROSENGARTEN', 'here', 'tirol'],
  ['stubaier-gletscherblick.test', '131877', 'here', 'alpen'],
  ['stiller-nameserver.test', '131900', 'silent', 'registro'],
  ['verweigerte-auskunft.test', '131901', 'refused', 'customer'],
  [
    'ferienwohnungsvermittlungsgenossenschaft-oberes-vinschgau-sued.test',
    'FERIENWOHNUNGSVERMITTLUNGSGENOSSENSCHAFT',
    'elsewhere',
    'tirol',
  ],
]

/** The domain that a web's host name lies in: all of the agency's end in .test. */
const domainOf = (fqdn: string): string => fqdn.split('.').slice(-2).join('.')

/** One for each domain of the agency's webs: where its web is, it is too. */
function ofWebs(): readonly Told[] {
  const told = new Map<string, Told>()
  for (const web of [...regularWebs, ...oddWebs]) {
    const fqdn = domainOf(web.fqdn)
    if (!told.has(fqdn)) told.set(fqdn, [fqdn, web.customer, whereaboutsOf(web)])
  }
  return [...told.values()]
}

function whereaboutsOf({ columns }: WebStory): Whereabouts {
  if (columns?.domain_status === domainStatus.extern) return 'elsewhere'
  return columns?.domain_status === domainStatus.offline ? 'gone' : 'here'
}

const nodeOf = (fqdn: string): string => {
  const web = [...regularWebs, ...oddWebs].find((one) => domainOf(one.fqdn) === fqdn)
  return seedNodes.find(({ name }) => name === web?.node)?.ip ?? firstNode.ip
}

const storyOf = ([fqdn, customer, where]: Told, mname: string): DomainStory => ({
  fqdn,
  customer,
  where,
  address: nodeOf(fqdn),
  mname,
})

/** At our registrar. */
export const ownDomainStories: readonly DomainStory[] = [
  ...ofWebs().filter(([fqdn]) => keptElsewhere[fqdn] === undefined),
  ...parked,
].map((told) => storyOf(told, 'ns1.limitis.test'))

/** Anywhere else. */
export const externalDomainStories: readonly ExternalDomainStory[] = [
  ...ofWebs().flatMap((told) => {
    const provider = keptElsewhere[told[0]]
    return provider === undefined ? [] : [{ told, provider }]
  }),
  ...outside.map(([fqdn, customer, where, provider]) => ({
    told: [fqdn, customer, where] as const,
    provider,
  })),
].map(({ told, provider }) => {
  const [domainprovider, mname] = providers[provider]
  return { ...storyOf(told, mname), domainprovider }
})
