import { nothingFound } from './tracking.ts'
import type { WebStory } from './web.ts'

const day = 24 * 3600 * 1000
const gib = 1024 ** 3

/** The agency's regular customers: nothing about them is out of the ordinary. All are well unless their story says otherwise. */
const regulars: readonly WebStory[] = [
  {
    fqdn: 'www.alpenhof-latemar.test',
    customer: 'ALPENHOF',
    categories: ['Hotel', 'Wartungsvertrag'],
    framework: 'TYPO3 13.4.20',
    node: 'bz-cloud-01',
    topics: ['booking', 'multilingual'],
  },
  {
    fqdn: 'www.hotel-rosengarten.test',
    customer: 'ROSENGARTEN',
    categories: ['Hotel', 'SEO'],
    framework: 'TYPO3 12.4.41',
    node: 'bz-cloud-01',
    topics: ['booking'],
  },
  {
    fqdn: 'www.seehof-kaltern.test',
    customer: '104233',
    categories: ['Hotel'],
    framework: 'TYPO3 13.4.19',
    node: 'bz-cloud-02',
  },
  {
    fqdn: 'gasthof-zum-löwen.test',
    customer: 'LÖWEN',
    categories: ['Gastronomie'],
    framework: 'TYPO3 11.5.48',
    node: 'ibk-cloud-01',
  },
  {
    fqdn: 'weingut-kögl.test',
    customer: 'KÖGL',
    categories: ['Weingut', 'Shop'],
    framework: 'Shopware 6.7.4.0',
    node: 'bz-cloud-02',
    topics: ['shop', 'newsletter'],
  },
  {
    fqdn: 'bäckerei-plörer.test',
    customer: 'PLÖRER',
    categories: ['Handel'],
    framework: 'WordPress 6.8.3',
    node: 'bz-cloud-02',
  },
  {
    fqdn: 'www.müllerbräu.test',
    customer: 'MÜLLERBRÄU',
    categories: ['Gastronomie', 'Shop'],
    framework: 'TYPO3 12.4.38',
    node: 'muc-cloud-01',
  },
  {
    fqdn: 'höfe-südtirol.test',
    customer: '118450',
    categories: ['Tourismus', 'Ferienwohnung'],
    framework: 'TYPO3 12.4.41',
    node: 'bz-cloud-01',
  },
  {
    fqdn: 'fußballverein-lana.test',
    customer: 'LANA',
    categories: ['Verein'],
    framework: 'WordPress 6.8.2',
    node: 'bz-cloud-02',
  },
  {
    fqdn: 'caffè-aurora.test',
    customer: 'AURORA',
    categories: ['Gastronomie'],
    framework: 'WordPress 6.7.4',
    node: 'bz-cloud-02',
  },
  {
    fqdn: 'città-di-chiusa.test',
    customer: '100021',
    categories: ['Öffentliche Verwaltung'],
    framework: 'TYPO3 12.4.40',
    node: 'bz-cloud-01',
    topics: ['accessibility', 'multilingual'],
  },
  {
    fqdn: 'www.gemeinde-tschars.test',
    customer: '100044',
    categories: ['Öffentliche Verwaltung', 'Wartungsvertrag'],
    framework: 'TYPO3 11.5.47',
    node: 'bz-cloud-01',
    topics: ['accessibility'],
  },
  {
    fqdn: 'www.tischlerei-unterholzner.test',
    customer: 'UNTERHOLZNER',
    categories: ['Handwerk'],
    framework: 'TYPO3 10.4.37',
    node: 'bz-cloud-02',
  },
  {
    fqdn: 'www.zimmerei-gruber-holzbau.test',
    customer: 'GRUBER',
    categories: ['Handwerk', 'Wartungsvertrag'],
    framework: 'TYPO3 13.4.20',
    node: 'ibk-cloud-01',
  },
  {
    fqdn: 'www.elektro-ladurner.test',
    customer: 'LADURNER',
    categories: ['Handwerk'],
    framework: 'TYPO3 9.5.49',
    node: 'bz-legacy-07',
  },
  {
    fqdn: 'www.skischule-sextnerdolomiten.test',
    customer: '131877',
    categories: ['Tourismus'],
    framework: 'TYPO3 12.4.39',
    node: 'bz-cloud-02',
    topics: ['booking', 'shop'],
  },
  {
    fqdn: 'www.bergbahnen-ahrntal.test',
    customer: 'BERGBAHNEN',
    categories: ['Tourismus', 'SEO', 'Wartungsvertrag'],
    framework: 'TYPO3 13.4.18',
    node: 'ibk-cloud-01',
  },
  {
    fqdn: 'webcam.bergbahnen-ahrntal.test',
    customer: 'BERGBAHNEN',
    categories: ['Tourismus'],
    framework: null,
    node: 'ibk-cloud-01',
  },
  {
    fqdn: 'www.apotheke-zur-mariahilf.test',
    customer: 'MARIAHILF',
    categories: ['Gesundheit', 'Shop'],
    framework: 'Shopware 6.6.10.9',
    node: 'ibk-cloud-01',
    topics: ['shop'],
  },
  {
    fqdn: 'praxis-dr-österreicher.test',
    customer: '145002',
    categories: ['Gesundheit'],
    framework: 'TYPO3 11.5.48',
    node: 'ibk-cloud-01',
  },
  {
    fqdn: 'www.physio-am-inn.test',
    customer: 'PHYSIO',
    categories: ['Gesundheit'],
    framework: 'WordPress 6.8.3',
    node: 'ibk-cloud-01',
  },
  {
    fqdn: 'www.metallbau-isarwinkel.test',
    customer: '150913',
    categories: ['Industrie'],
    framework: 'TYPO3 12.4.41',
    node: 'muc-cloud-01',
  },
  {
    fqdn: 'www.logistik-brenner.test',
    customer: 'BRENNER',
    categories: ['Industrie', 'SEO'],
    framework: 'TYPO3 13.4.20',
    node: 'muc-cloud-01',
    topics: ['migration'],
  },
  {
    fqdn: 'karriere.logistik-brenner.test',
    customer: 'BRENNER',
    categories: ['Landingpage'],
    framework: 'TYPO3 13.4.20',
    node: 'muc-cloud-01',
  },
  {
    fqdn: 'shop.sportalm-kitz.test',
    customer: 'SPORTALM',
    categories: ['Shop'],
    framework: 'Shopware 6.7.3.1',
    node: 'muc-cloud-01',
    topics: ['shop', 'seo'],
  },
  {
    fqdn: 'www.möbel-höller.test',
    customer: 'HÖLLER',
    categories: ['Handel', 'Shop'],
    framework: 'Shopware 5.7.19',
    node: 'bz-legacy-07',
    topics: ['migration'],
  },
  {
    fqdn: 'www.ferienhof-oberfraunerhof.test',
    customer: '120771',
    categories: ['Ferienwohnung'],
    framework: 'TYPO3 12.4.36',
    node: 'bz-cloud-02',
  },
  {
    fqdn: 'www.chalet-cimabianca.test',
    customer: 'CIMABIANCA',
    categories: ['Ferienwohnung', 'SEO'],
    framework: 'TYPO3 13.4.20',
    node: 'bz-cloud-01',
    topics: ['booking', 'relaunch'],
  },
  {
    fqdn: 'www.residence-alservino.test',
    customer: '122390',
    categories: ['Ferienwohnung'],
    framework: 'TYPO3 10.4.36',
    node: 'bz-cloud-02',
  },
  {
    fqdn: 'www.camping-lago-azzurro.test',
    customer: 'AZZURRO',
    categories: ['Tourismus'],
    framework: 'TYPO3 11.5.48',
    node: 'bz-cloud-01',
  },
  {
    fqdn: 'www.ristorante-da-piero.test',
    customer: 'PIERO',
    categories: ['Gastronomie'],
    framework: 'WordPress 6.8.3',
    node: 'bz-cloud-02',
  },
  {
    fqdn: 'www.cantina-valpolicella.test',
    customer: 'CANTINA',
    categories: ['Weingut'],
    framework: 'TYPO3 12.4.41',
    node: 'bz-cloud-02',
    topics: ['multilingual'],
  },
  {
    fqdn: 'www.kanzlei-runggaldier.test',
    customer: 'RUNGGALDIER',
    categories: ['Handel'],
    framework: 'TYPO3 13.4.20',
    node: 'bz-cloud-01',
  },
  {
    fqdn: 'www.musikkapelle-villanders.test',
    customer: '160004',
    categories: ['Verein'],
    framework: 'WordPress 6.8.1',
    node: 'bz-cloud-02',
  },
  {
    fqdn: 'törggelen-eisacktal.test',
    customer: '118450',
    categories: ['Tourismus', 'Landingpage'],
    framework: 'TYPO3 12.4.41',
    node: 'bz-cloud-01',
    topics: ['seo'],
  },
  {
    fqdn: 'adventkalender.höfe-südtirol.test',
    customer: '118450',
    categories: ['Landingpage'],
    framework: null,
    node: 'bz-cloud-01',
  },
  {
    fqdn: 'matomo.kustos.test',
    customer: 'KUSTOS',
    categories: ['Intern'],
    framework: null,
    node: 'bz-cloud-01',
  },
  {
    fqdn: 'intranet.kustos.test',
    customer: 'KUSTOS',
    categories: ['Intern'],
    framework: 'TYPO3 14.0.2',
    node: 'bz-cloud-01',
  },
]

/** Those that a screen has to get along with. */
const oddities: readonly WebStory[] = [
  // Every status of Plesk's, and one that nobody has heard of.
  {
    fqdn: 'www.pension-edelweiss.test',
    customer: 'EDELWEISS',
    categories: ['Hotel'],
    framework: 'TYPO3 8.7.57',
    node: 'bz-cloud-01',
    columns: { status: 16, http_status_code: 503 },
  },
  {
    fqdn: 'www.garni-schönblick.test',
    customer: 'SCHÖNBLICK',
    categories: ['Hotel'],
    framework: 'TYPO3 9.5.31',
    node: 'bz-cloud-02',
    columns: {
      status: 16,
      domain_status: 3,
      http_status_code: null,
      cert_ca: null,
      cert_expiration: null,
      comment: 'Abgemeldet zum 31.12., Daten bis Ende März aufbewahren.',
    },
  },
  {
    fqdn: 'www.trattoria-al-ponte.test',
    customer: '171120',
    categories: ['Gastronomie'],
    framework: 'WordPress 5.9.12',
    node: 'bz-cloud-02',
    columns: { status: 2 },
  },
  {
    fqdn: 'www.spenglerei-stolz.test',
    customer: 'STOLZ',
    categories: ['Handwerk'],
    framework: 'TYPO3 7.6.58',
    node: 'bz-legacy-07',
    columns: { status: 4, http_status_code: 404 },
  },
  {
    fqdn: 'www.metzgerei-windisch.test',
    customer: 'WINDISCH',
    categories: ['Handel'],
    framework: 'TYPO3 6.2.31',
    node: 'bz-legacy-07',
    columns: { status: 64, domain_status: 1, http_status_code: 500 },
  },
  {
    fqdn: 'umzug.kustos.test',
    customer: 'KUSTOS',
    categories: ['Intern'],
    framework: null,
    node: null,
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
  },
  // Where the domain points, and what answers there.
  {
    fqdn: 'www.hotel-bellavista-garda.test',
    customer: 'BELLAVISTA',
    categories: ['Hotel'],
    framework: 'TYPO3 11.5.44',
    node: 'bz-cloud-01',
    columns: {
      domain_status: 2,
      domain_state: 3,
      http_status_code: 301,
      comment: 'Il cliente ha spostato il dominio presso un altro provider.',
    },
  },
  {
    fqdn: 'www.immobilien-etschtal.test',
    customer: '181200',
    categories: ['Handel'],
    framework: 'TYPO3 12.4.41',
    node: 'bz-cloud-02',
    columns: { domain_status: 3, http_status_code: null, cert_ca: null, cert_expiration: null },
  },
  {
    fqdn: 'alt.möbel-höller.test',
    customer: 'HÖLLER',
    categories: ['Handel'],
    framework: null,
    node: 'bz-legacy-07',
    columns: { http_status_code: 301, monitoring_web_active: false },
  },
  {
    fqdn: 'www.kletterzentrum-arco.test',
    customer: 'ARCO',
    categories: ['Verein', 'Tourismus'],
    framework: 'TYPO3 10.4.37',
    node: 'muc-cloud-01',
    columns: { http_status_code: 404 },
  },
  {
    fqdn: 'www.sennerei-drei-zinnen.test',
    customer: '190555',
    categories: ['Handel', 'Shop'],
    framework: 'Shopware 6.5.8.18',
    node: 'muc-cloud-01',
    columns: { http_status_code: 503, monitoring_web_reporting_channel: 'slack,mail,telegram' },
  },
  // Disks from empty to bursting.
  {
    fqdn: 'www.bildarchiv-dolomiten.test',
    customer: 'BILDARCHIV',
    categories: ['Verein'],
    framework: 'TYPO3 12.4.41',
    node: 'muc-cloud-01',
    columns: { disk_usage: Math.round(2148.37 * gib) },
  },
  {
    fqdn: 'neu.physio-am-inn.test',
    customer: 'PHYSIO',
    categories: ['Gesundheit'],
    framework: 'TYPO3 14.0.2',
    node: 'ibk-cloud-01',
    topics: ['relaunch'],
    columns: { disk_usage: 0, tracking_data: nothingFound },
  },
]

/** Long and awkward values; each is valid. */
const extremes = (now: Date): WebStory[] => {
  const after = (days: number) => new Date(now.getTime() + days * day)
  return [
    {
      fqdn: 'www.abgelaufen-zertifikat.test',
      customer: '200301',
      categories: ['Handwerk'],
      framework: 'TYPO3 9.5.49',
      node: 'bz-legacy-07',
      columns: {
        status: 0,
        domain_status: 1,
        cert_ca: 'Sectigo Limited',
        cert_expiration: after(-12.4),
        http_status_code: 200,
      },
    },
    {
      fqdn: 'www.weingut-am-hang.test',
      customer: 'HANG',
      categories: ['Weingut'],
      framework: 'TYPO3 12.4.33',
      node: 'bz-cloud-02',
      columns: { status: 0, domain_status: 1, cert_ca: "Let's Encrypt", cert_expiration: after(3.1) },
    },
    {
      fqdn: 'www.tourismusverein-schlern.test',
      customer: '118451',
      categories: ['Tourismus', 'SEO'],
      framework: 'TYPO3 13.4.20',
      node: 'bz-cloud-01',
      columns: { status: 0, domain_status: 1, cert_ca: 'DigiCert Inc', cert_expiration: after(60.2) },
    },
    {
      fqdn: 'nur-http.test',
      customer: '200377',
      categories: ['Landingpage'],
      framework: null,
      node: 'bz-legacy-07',
      columns: { status: 0, domain_status: 1, cert_ca: null, cert_expiration: null, http_status_code: 200 },
    },
    {
      fqdn: longestFqdn,
      customer: 'DONAUDAMPFSCHIFFFAHRTSGESELLSCHAFT',
      categories: ['Tourismus', 'Verein', 'Industrie', 'Landingpage', 'Wartungsvertrag', 'SEO', 'Handel'],
      framework: 'TYPO3 12.4.41',
      node: 'muc-cloud-01',
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
    {
      fqdn: 'www.chronik-der-änderungen.test',
      customer: 'CHRONIK',
      categories: ['Verein'],
      framework: 'TYPO3 11.5.48',
      node: 'bz-cloud-01',
      columns: { comment: longComment() },
    },
    // What a spreadsheet would take for a formula, and a careless page for markup.
    {
      fqdn: 'www.rechenbuero-summe.test',
      customer: 'SUMME',
      categories: ['Handel'],
      framework: 'TYPO3 12.4.41',
      node: 'bz-cloud-02',
      columns: { comment: '=SUMME(A1:A9) stammt aus der alten Liste' },
    },
    {
      fqdn: 'www.seilbahn-notruf.test',
      customer: '118452',
      categories: ['Tourismus'],
      framework: 'WordPress 6.8.3',
      node: 'ibk-cloud-01',
      columns: { comment: '+39 0471 000000: vor jedem Update anrufen 🎿' },
    },
    {
      fqdn: 'www.webdesign-müller.test',
      customer: 'WEBDESIGN',
      categories: ['Handwerk'],
      framework: 'WordPress 6.8.3',
      node: 'bz-cloud-02',
      columns: {
        configured_ip: '2001:db8:24:7::80',
        comment: 'Altes Chat-Widget entfernen: <script src="//chat.test/w.js"></script> & Co.',
      },
    },
  ]
}

/** 253 characters, the most that a host name can have, in labels of at most 63. */
const longestFqdn = [
  'www',
  'abteilung-fuer-verlorene-gegenstaende-an-bord-wien-1',
  'rechtsschutzversicherungsgesellschaften-der-binnenschifffahrt-2',
  'verwaltungsstelle-fuer-fahrgastangelegenheiten-und-beschwerden3',
  'donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbau-gmbh4',
  'test',
].join('.')

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

const gone: readonly WebStory[] = [
  {
    fqdn: 'www.gasthof-krone-alt.test',
    customer: 'KRONE',
    categories: ['Gastronomie'],
    framework: 'TYPO3 8.7.30',
    node: 'bz-legacy-07',
    deleted: 210,
  },
  {
    fqdn: 'www.bergfex-radverleih.test',
    customer: '118470',
    categories: ['Shop'],
    framework: 'Shopware 5.6.10',
    node: 'bz-legacy-07',
    deleted: 65,
  },
  {
    fqdn: 'kampagne-sommer.test',
    customer: 'BERGBAHNEN',
    categories: ['Landingpage'],
    framework: null,
    node: 'ibk-cloud-01',
    deleted: 17,
  },
  // Its name is in use again.
  {
    fqdn: 'www.alpenhof-latemar.test',
    customer: 'ALPENHOF',
    categories: ['Hotel'],
    framework: 'TYPO3 9.5.20',
    node: 'bz-legacy-07',
    deleted: 380,
  },
]

/** The webs that live, and those that were deleted. */
export const agencyWebs = (now: Date): { living: readonly WebStory[]; deleted: readonly WebStory[] } => ({
  living: [...regulars, ...oddities, ...extremes(now)].map((story) => ({ ...story, healthy: true })),
  deleted: gone,
})
