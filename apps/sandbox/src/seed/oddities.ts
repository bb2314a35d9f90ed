import { nothingFound } from '@kustos/contract/webs'
import { story, type WebStory } from './web.ts'

const gib = 1024 ** 3

const oddities: readonly WebStory[] = [
  // Every status of Plesk's, and one that nobody has heard of.
  story('www.pension-edelweiss.test', 'EDELWEISS', 'TYPO3 8.7.57', 'bz-cloud-01', ['Hotel'], {
    columns: { status: 16 },
  }),
  story('www.garni-schönblick.test', 'SCHÖNBLICK', 'TYPO3 9.5.31', 'bz-cloud-02', ['Hotel'], {
    columns: {
      status: 16,
      domain_status: 3,
      http_status_code: null,
      cert_ca: null,
      cert_expiration: null,
      comment: 'Abgemeldet zum 31.12., Daten bis Ende März aufbewahren.',
    },
  }),
  story('www.trattoria-al-ponte.test', '171120', 'WordPress 5.9.12', 'bz-cloud-02', ['Gastronomie'], {
    columns: { status: 2 },
  }),
  story('www.spenglerei-stolz.test', 'STOLZ', 'TYPO3 7.6.58', 'bz-legacy-07', ['Handwerk'], {
    columns: { status: 4 },
  }),
  story('www.metzgerei-windisch.test', 'WINDISCH', 'TYPO3 6.2.31', 'bz-legacy-07', ['Handel'], {
    columns: { status: 64 },
  }),
  story('umzug.kustos.test', 'KUSTOS', null, null, ['Intern'], {
    columns: {
      status: null,
      domain_status: null,
      cert_ca: null,
      cert_expiration: null,
      domain_state: null,
      http_status_code: null,
      tracking_data: null,
      sysuser: null,
      disk_usage: null,
      comment: 'Noch nicht eingelesen.',
    },
  }),
  // Where the domain points, and what answers there.
  story('www.hotel-bellavista-garda.test', 'BELLAVISTA', 'TYPO3 11.5.44', 'bz-cloud-01', ['Hotel'], {
    columns: {
      domain_status: 2,
      domain_state: 3,
      http_status_code: 301,
      comment: 'Il cliente ha spostato il dominio presso un altro provider.',
    },
  }),
  story('www.immobilien-etschtal.test', '181200', 'TYPO3 12.4.41', 'bz-cloud-02', ['Handel'], {
    columns: { domain_status: 3, http_status_code: null, cert_ca: null, cert_expiration: null },
  }),
  story('alt.möbel-höller.test', 'HÖLLER', null, 'bz-legacy-07', ['Handel'], {
    columns: { monitoring_web_active: false },
  }),
  story('www.kletterzentrum-arco.test', 'ARCO', 'TYPO3 10.4.37', 'muc-cloud-01', ['Verein', 'Tourismus']),
  story('www.sennerei-drei-zinnen.test', '190555', 'Shopware 6.5.8.18', 'muc-cloud-01', ['Handel', 'Shop'], {
    columns: { monitoring_web_reporting_channel: 'slack,mail,telegram' },
  }),
  // Disks from bursting to empty.
  story('www.bildarchiv-dolomiten.test', 'BILDARCHIV', 'TYPO3 12.4.41', 'muc-cloud-01', ['Verein'], {
    columns: { disk_usage: Math.round(2148.37 * gib) },
  }),
  story('neu.physio-am-inn.test', 'PHYSIO', 'TYPO3 14.0.2', 'ibk-cloud-01', ['Gesundheit'], {
    topics: ['relaunch'],
    columns: { disk_usage: 0, tracking_data: nothingFound },
  }),
]

/** 253 characters, the most that a host name can have, in labels of at most 63. */
const longestFqdn = [
  'www',
  'abteilung-fuer-verlorene-gegenstaende-an-bord-wien-1',
  'rechtsschutzversicherungsgesellschaften-der-binnenschifffahrt-2',
  'verwaltungsstelle-fuer-fahrgastangelegenheiten-und-beschwerden3',
  'donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbau-gmbh4',
  'test',
].join('.')

/** Long and awkward values; each is valid. */
const extremes: readonly WebStory[] = [
  story('www.abgelaufen-zertifikat.test', '200301', 'TYPO3 9.5.49', 'bz-legacy-07', ['Handwerk']),
  story('www.weingut-am-hang.test', 'HANG', 'TYPO3 12.4.33', 'bz-cloud-02', ['Weingut']),
  story('www.tourismusverein-schlern.test', '118451', 'TYPO3 13.4.20', 'bz-cloud-01', ['Tourismus', 'SEO']),
  story('nur-http.test', '200377', null, 'bz-legacy-07', ['Landingpage']),
  story(
    longestFqdn,
    'DONAUDAMPFSCHIFFFAHRTSGESELLSCHAFT',
    'TYPO3 12.4.41',
    'muc-cloud-01',
    ['Tourismus', 'Verein', 'Industrie', 'Landingpage', 'Wartungsvertrag', 'SEO', 'Handel'],
    {
      topics: [
        'relaunch',
        'seo',
        'newsletter',
        'booking',
        'shop',
        'migration',
        'accessibility',
        'multilingual',
      ],
      columns: {
        sites: Array.from({ length: 18 }, (_, i) => ({
          fqdn: `abteilung-${i + 1}.donaudampfschifffahrt.test`,
        })),
        aliases: Array.from({ length: 25 }, (_, i) => ({
          fqdn: `hafen-${i + 1}.donaudampfschifffahrt.test`,
        })),
        auftragnr_hosting: Array.from({ length: 12 }, (_, i) => `AB-${14 + i}-${40_001 + i * 317}`),
      },
    },
  ),
  story('www.chronik-der-änderungen.test', 'CHRONIK', 'TYPO3 11.5.48', 'bz-cloud-01', ['Verein'], {
    columns: { comment: longComment() },
  }),
  // What a spreadsheet would take for a formula, and a careless page for markup.
  story('www.rechenbuero-summe.test', 'SUMME', 'TYPO3 12.4.41', 'bz-cloud-02', ['Handel'], {
    columns: { comment: '=SUMME(A1:A9) stammt aus der alten Liste' },
  }),
  story('www.seilbahn-notruf.test', '118452', 'WordPress 6.8.3', 'ibk-cloud-01', ['Tourismus'], {
    columns: { comment: '+39 0471 000000: vor jedem Update anrufen 🎿' },
  }),
  story('www.webdesign-müller.test', 'WEBDESIGN', 'WordPress 6.8.3', 'bz-cloud-02', ['Handwerk'], {
    columns: {
      configured_ip: '2001:db8:24:7::80',
      comment: 'Altes Chat-Widget entfernen: <script src="//chat.test/w.js"></script> & Co.',
    },
  }),
]

/** 2,000 characters of a customer's story, in lines. */
function longComment(): string {
  const lines: string[] = []
  for (let year = 2011; lines.join('\n').length < 2000; year++) {
    lines.push(
      `${year}: Umstellung besprochen, Angebot ${year % 100}-${(year * 37) % 9000} verschickt; Kunde meldet sich nach der Saison.`,
    )
    lines.push(
      `${year}: Aggiornamento del modulo di prenotazione, testato sul clone; DNS invariati, certificato rinnovato.`,
    )
  }
  return lines.join('\n').slice(0, 2000)
}

/** Webs that a screen has to get along with. All are well unless their story says otherwise. */
export const oddWebs: readonly WebStory[] = [...oddities, ...extremes]
