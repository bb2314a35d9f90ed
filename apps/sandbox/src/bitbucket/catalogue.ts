import { forkableProject, kickstarters } from '@kustos/contract/bitbucket'
import { regularWebs } from '../seed/agency.ts'
import { oddWebs } from '../seed/oddities.ts'
import { repositoryOf } from './generation.ts'

export const trialDayTemplate = 'schnuppertag-kickstarter'

/** Keys and names. */
export const projects = {
  [forkableProject]: 'TP-Projekte',
  EXT: 'TYPO3-Erweiterungen',
  SHOP: 'Shopware',
  INT: 'Interne Werkzeuge',
  OPS: 'Betrieb',
  ARC: 'Archiv',
} as const
export type ProjectKey = keyof typeof projects

/** A repository as the agency has it on the first day. */
export interface Told {
  readonly slug: string
  readonly project: ProjectKey
  readonly description: string
  /** Whose files it holds. */
  readonly template: string
  /** The slug of what it was forked from. */
  readonly parent: string | null
  readonly forkPolicy: 'allow_forks' | 'no_public_forks' | 'no_forks'
}

const variants: Readonly<Record<string, string>> = {
  base: 'Basis für neue Websites',
  erfolg: 'Erfolgspaket mit Anfragestrecke',
  lp_jobs: 'Landingpage für Stellenanzeigen',
  lp_v2: 'Landingpage, zweite Fassung',
}

const plainTemplate = 'werkzeug'
/** Those with a tree of their own; the others are copies. */
export const templates: readonly string[] = [...kickstarters, trialDayTemplate, plainTemplate]

const kickstarterTold = (slug: string): Told => {
  const variant = slug.slice(slug.indexOf('kickstarter-') + 'kickstarter-'.length)
  return {
    slug,
    project: forkableProject,
    description: `Kickstarter ${slug.slice(0, 6)}: ${variants[variant] ?? variant}`,
    template: slug,
    parent: null,
    forkPolicy: 'no_public_forks',
  }
}

/** Made from the kickstarter of its generation; there is none of the oldest any more. */
const siteTold = (slug: string, description: string): Told => {
  const source = `${slug.slice(0, 6)}-kickstarter-base`
  const parent = kickstarters.includes(source) ? source : null
  return {
    slug,
    project: forkableProject,
    description,
    template: parent ?? 'web124-kickstarter-base',
    parent,
    forkPolicy: 'no_public_forks',
  }
}

/** Webs that are being built, with no place in the inventory yet. */
const upcoming = [
  'web134-almhuette-seiser-alm.test',
  'web134-biohof-martell.test',
  'web134-burghotel-tauffers.test',
  'web134-fahrschule-brixen.test',
  'web134-glaserei-vinschgau.test',
  'web134-zahnaerzte-bruneck.test',
  'web124-obstgenossenschaft-tscherms.test',
  'web124-rodelverein-rein.test',
  'web115-heimatmuseum-dorf.test',
]

const others: Readonly<Record<Exclude<ProjectKey, typeof forkableProject>, readonly string[]>> = {
  EXT: `ext-anfrage ext-barrierefrei ext-buchung ext-consent ext-energieausweis ext-feratel ext-galerie ext-gutschein
ext-kalender ext-karte ext-mehrsprachig ext-newsletter ext-pistenplan ext-rezepte ext-schema-org ext-stellen ext-suche
ext-webcam ext-wetter ext-wohnungen ext-zimmer ext-zimmerplan`.split(/\s+/),
  SHOP: `shop-basis shop-theme-alpin shop-theme-klar shop-weinversand shop-plugin-abholung shop-plugin-gutschein
shop-plugin-steuer`.split(/\s+/),
  INT: `angebotsrechner bildpresse kundenportal linkpruefer mailvorlagen notiz-wiki seo-bericht stundenzettel styleguide uebersetzungen
web134-sandkasten web134-schulung`.split(/\s+/),
  OPS: `ansible-plesk backup-pruefung certbot-haken dns-zonen docker-basis monitoring-regeln pipelines-vorlagen protokoll-sammler runner-images
zertifikate`.split(/\s+/),
  ARC: `kampagne-2016 kampagne-2018 kampagne-2019 kickstarter-web62 kickstarter-web76 kickstarter-web87
relaunch-2014 web124-alte-kampagne web76-seilbahn.test web87-gasthof-krone.test web87-hotel-post.test
web95-schreinerei.test`.split(/\s+/),
}

const descriptions: Readonly<Record<keyof typeof others, string>> = {
  EXT: 'Erweiterung für TYPO3',
  SHOP: 'Bausteine für Shopware',
  INT: 'Internes Werkzeug',
  OPS: 'Betrieb der Server',
  ARC: 'Archiv, wird nicht mehr gepflegt',
}

/** Every repository of the first day: over a hundred, so that Bitbucket's list has a second page. */
export function catalogue(): Told[] {
  const sites = [...regularWebs, ...oddWebs].flatMap(({ fqdn, framework }) => {
    const slug = repositoryOf(fqdn, framework ?? null)
    return slug === null ? [] : [siteTold(slug, `Website ${fqdn}`)]
  })
  const rest = (Object.keys(others) as (keyof typeof others)[]).flatMap((project) =>
    others[project].map(
      (slug): Told => ({
        slug,
        project,
        description: descriptions[project],
        template: plainTemplate,
        parent: null,
        forkPolicy: project === 'ARC' || project === 'OPS' ? 'no_forks' : 'allow_forks',
      }),
    ),
  )
  const trialDay: Told = {
    slug: trialDayTemplate,
    project: forkableProject,
    description: 'Vorlage für den Schnuppertag',
    template: trialDayTemplate,
    parent: null,
    forkPolicy: 'no_public_forks',
  }
  return [
    ...kickstarters.map(kickstarterTold),
    trialDay,
    ...sites,
    ...upcoming.map((slug) => siteTold(slug, `Website ${slug.slice(7)}, im Aufbau`)),
    ...rest,
  ]
}
