import { story, type WebStory } from './web.ts'

/** The agency's regular customers: nothing about them is out of the ordinary. */
export const regularWebs: readonly WebStory[] = [
  story(
    'www.alpenhof-latemar.test',
    'ALPENHOF',
    'TYPO3 13.4.20',
    'bz-cloud-01',
    ['Hotel', 'Wartungsvertrag'],
    { topics: ['booking', 'multilingual'] },
  ),
  story('www.hotel-rosengarten.test', 'ROSENGARTEN', 'TYPO3 12.4.41', 'bz-cloud-01', ['Hotel', 'SEO'], {
    topics: ['booking'],
  }),
  story('www.seehof-kaltern.test', '104233', 'TYPO3 13.4.19', 'bz-cloud-02', ['Hotel']),
  story('gasthof-zum-löwen.test', 'LÖWEN', 'TYPO3 11.5.48', 'ibk-cloud-01', ['Gastronomie']),
  story('weingut-kögl.test', 'KÖGL', 'Shopware 6.7.4.0', 'bz-cloud-02', ['Weingut', 'Shop'], {
    topics: ['shop', 'newsletter'],
  }),
  story('bäckerei-plörer.test', 'PLÖRER', 'WordPress 6.8.3', 'bz-cloud-02', ['Handel']),
  story('www.müllerbräu.test', 'MÜLLERBRÄU', 'TYPO3 12.4.38', 'muc-cloud-01', ['Gastronomie', 'Shop']),
  story('höfe-südtirol.test', '118450', 'TYPO3 12.4.41', 'bz-cloud-01', ['Tourismus', 'Ferienwohnung']),
  story('fußballverein-lana.test', 'LANA', 'WordPress 6.8.2', 'bz-cloud-02', ['Verein']),
  story('caffè-aurora.test', 'AURORA', 'WordPress 6.7.4', 'bz-cloud-02', ['Gastronomie']),
  story('città-di-chiusa.test', '100021', 'TYPO3 12.4.40', 'bz-cloud-01', ['Öffentliche Verwaltung'], {
    topics: ['accessibility', 'multilingual'],
  }),
  story(
    'www.gemeinde-tschars.test',
    '100044',
    'TYPO3 11.5.47',
    'bz-cloud-01',
    ['Öffentliche Verwaltung', 'Wartungsvertrag'],
    { topics: ['accessibility'] },
  ),
  story('www.tischlerei-unterholzner.test', 'UNTERHOLZNER', 'TYPO3 10.4.37', 'bz-cloud-02', ['Handwerk']),
  story('www.zimmerei-gruber-holzbau.test', 'GRUBER', 'TYPO3 13.4.20', 'ibk-cloud-01', [
    'Handwerk',
    'Wartungsvertrag',
  ]),
  story('www.elektro-ladurner.test', 'LADURNER', 'TYPO3 9.5.49', 'bz-legacy-07', ['Handwerk']),
  story('www.skischule-sextnerdolomiten.test', '131877', 'TYPO3 12.4.39', 'bz-cloud-02', ['Tourismus'], {
    topics: ['booking', 'shop'],
    columns: { monitoring_web_reporting_channel: 'slack,mail,telegram' },
  }),
  story('www.bergbahnen-ahrntal.test', 'BERGBAHNEN', 'TYPO3 13.4.18', 'ibk-cloud-01', [
    'Tourismus',
    'SEO',
    'Wartungsvertrag',
  ]),
  story('webcam.bergbahnen-ahrntal.test', 'BERGBAHNEN', null, 'ibk-cloud-01', ['Tourismus']),
  story(
    'www.apotheke-zur-mariahilf.test',
    'MARIAHILF',
    'Shopware 6.6.10.9',
    'ibk-cloud-01',
    ['Gesundheit', 'Shop'],
    { topics: ['shop'] },
  ),
  story('praxis-dr-österreicher.test', '145002', 'TYPO3 11.5.48', 'ibk-cloud-01', ['Gesundheit']),
  story('www.physio-am-inn.test', 'PHYSIO', 'WordPress 6.8.3', 'ibk-cloud-01', ['Gesundheit']),
  story('www.metallbau-isarwinkel.test', '150913', 'TYPO3 12.4.41', 'muc-cloud-01', ['Industrie']),
  story('www.logistik-brenner.test', 'BRENNER', 'TYPO3 13.4.20', 'muc-cloud-01', ['Industrie', 'SEO'], {
    topics: ['migration'],
  }),
  story('karriere.logistik-brenner.test', 'BRENNER', 'TYPO3 13.4.20', 'muc-cloud-01', ['Landingpage']),
  story('shop.sportalm-kitz.test', 'SPORTALM', 'Shopware 6.7.3.1', 'muc-cloud-01', ['Shop'], {
    topics: ['shop', 'seo'],
  }),
  story('www.möbel-höller.test', 'HÖLLER', 'Shopware 5.7.19', 'bz-legacy-07', ['Handel', 'Shop'], {
    topics: ['migration'],
  }),
  story('www.ferienhof-oberfraunerhof.test', '120771', 'TYPO3 12.4.36', 'bz-cloud-02', ['Ferienwohnung']),
  story(
    'www.chalet-cimabianca.test',
    'CIMABIANCA',
    'TYPO3 13.4.20',
    'bz-cloud-01',
    ['Ferienwohnung', 'SEO'],
    { topics: ['booking', 'relaunch'] },
  ),
  story('www.residence-alservino.test', '122390', 'TYPO3 10.4.36', 'bz-cloud-02', ['Ferienwohnung']),
  story('www.camping-lago-azzurro.test', 'AZZURRO', 'TYPO3 11.5.48', 'bz-cloud-01', ['Tourismus']),
  story('www.ristorante-da-piero.test', 'PIERO', 'WordPress 6.8.3', 'bz-cloud-02', ['Gastronomie']),
  story('www.cantina-valpolicella.test', 'CANTINA', 'TYPO3 12.4.41', 'bz-cloud-02', ['Weingut'], {
    topics: ['multilingual'],
  }),
  story('www.kanzlei-runggaldier.test', 'RUNGGALDIER', 'TYPO3 13.4.20', 'bz-cloud-01', ['Handel']),
  story('www.musikkapelle-villanders.test', '160004', 'WordPress 6.8.1', 'bz-cloud-02', ['Verein']),
  story('törggelen-eisacktal.test', '118450', 'TYPO3 12.4.41', 'bz-cloud-01', ['Tourismus', 'Landingpage'], {
    topics: ['seo'],
  }),
  story('adventkalender.höfe-südtirol.test', '118450', null, 'bz-cloud-01', ['Landingpage']),
  story('matomo.kustos.test', 'KUSTOS', null, 'bz-cloud-01', ['Intern']),
  story('intranet.kustos.test', 'KUSTOS', 'TYPO3 14.0.2', 'bz-cloud-01', ['Intern']),
]

/** Webs that were deleted. */
export const goneWebs: readonly WebStory[] = [
  story('www.gasthof-krone-alt.test', 'KRONE', 'TYPO3 8.7.30', 'bz-legacy-07', ['Gastronomie'], {
    deleted: 210,
  }),
  story('www.bergfex-radverleih.test', '118470', 'Shopware 5.6.10', 'bz-legacy-07', ['Shop'], {
    deleted: 65,
  }),
  story('kampagne-sommer.test', 'BERGBAHNEN', null, 'ibk-cloud-01', ['Landingpage'], { deleted: 17 }),
  // Its name is in use again.
  story('www.alpenhof-latemar.test', 'ALPENHOF', 'TYPO3 9.5.20', 'bz-legacy-07', ['Hotel'], { deleted: 380 }),
]
