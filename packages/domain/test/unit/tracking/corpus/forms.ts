import { type Corpus, containerOf, containerUrl, gtmSnippet, inline, pageWith } from '../page-fixtures.ts'

const config = "gtag('config','G-ABCDEF1234')"
const found = 'googleanalytics G-ABCDEF1234 @www.googletagmanager.com'
const pixel = "fbq('init','123456789012345');"
const pixelFound = 'facebookads 123456789012345 @connect.facebook.net'
const server = 'https://sgtm.hotel.test'
const gtm = 'GTM-ABC1234'
const gtmFound = `gtm ${gtm} @www.googletagmanager.com`
const matomoContainer = 'https://m.test/js/container_AbCd1234.js'
const settings = {
  'https://api.usercentrics.eu/settings/aB3dE5fG7/latest/languages.json': '{"languagesAvailable":["de"]}',
  'https://api.usercentrics.eu/settings/aB3dE5fG7/latest/de.json': '{"consentTemplates":[]}',
}

type Row = readonly [page: string, expected: readonly string[], responses?: Corpus[string]['responses']]

/** Notations of consent managers, speed plugins and others that differ from the vendors' guides. */
const rows: Readonly<Record<string, Row>> = {
  'a script that WP Rocket delays': [
    `<script type="rocketlazyloadscript" data-rocket-src="https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234"></script>
<script type="rocketlazyloadscript">${config}</script>`,
    [found],
  ],
  'a script that LiteSpeed Cache delays': [
    `<script type="litespeed/javascript" data-src="https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234"></script>
<script type="litespeed/javascript">${pixel}</script>`,
    [found, pixelFound],
  ],
  'a script that Perfmatters delays': [
    `<script type="pmdelayedscript" src="https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234"></script>
<script data-pmdelayedscript="data:text/javascript;base64,${btoa(pixel)}"></script>`,
    [found, pixelFound],
  ],
  'a script that NitroPack delays': [
    `<script type="nitropack/inlinescript" class="nitropack-inline-script">${pixel}</script>`,
    [pixelFound],
  ],
  'a script after an element that its noscript does not close': [
    `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=${gtm}" height="0" /></NOSCRIPT><a href="/zimmer">${inline(pixel)}</a>
<noscript><style>.lazy{display:none}</noscript>${inline(config)}`,
    [gtmFound, found, pixelFound],
    { [containerUrl(gtm)]: containerOf([]) },
  ],
  'a base for browsers without scripts': [
    `<noscript><base href="https://mirror.test/"></noscript><img src="/g/collect?tid=G-ABCDEF1234">`,
    ['googleanalytics G-ABCDEF1234 @www.hotel.test'],
  ],
  "a script of Cloudflare's Rocket Loader": [
    `<script type="8f2c7c0a1b-text/javascript">${pixel}</script>`,
    [pixelFound],
  ],
  'a script in Partytown': [`<script type="text/partytown">${config}</script>`, [found]],
  'scripts that iubenda holds back': [
    `<script type="text/plain" class="_iub_cs_activate" data-suppressedsrc="https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234"></script>
<script type="text/plain" class="_iub_cs_activate-inline">${config}</script>`,
    [`${found} (gated)`],
  ],
  'a script that consentmanager holds back': [
    `<script type="text/plain" class="cmplazyload" data-cmp-vendor="s26">${config}</script>`,
    [`${found} (gated)`],
  ],
  'a script that CookieYes holds back': [
    `<script type="text/plain" data-cookieyes="cookieyes-analytics">${config}</script>`,
    [`${found} (gated)`],
  ],
  'a script that Didomi holds back': [
    `<script type="didomi/javascript" data-vendor="c:google">${config}</script>`,
    [`${found} (gated)`],
  ],
  'conversions for two accounts of Google Ads': [
    inline("gtag('event','conversion',{send_to:['AW-123456789/abcDEF','AW-987654321/x']})"),
    ['googleads AW-123456789 @www.googletagmanager.com', 'googleads AW-987654321 @www.googletagmanager.com'],
  ],
  "LinkedIn's id by its other names": [
    inline('_linkedin_data_partner_id = "1234567"; window._linkedin_data_partner_ids.push("7654321")'),
    ['linkedinads 1234567 @snap.licdn.com', 'linkedinads 7654321 @snap.licdn.com'],
  ],
  "Microsoft's id as a number": [
    inline('(function(w){var o={ti:12345678};w.uetq=new UET(o)})(window)'),
    ['microsoftads 12345678 @bat.bing.com'],
  ],
  "an object's field with the name of Microsoft's": [
    inline(`var ads=[{ti:"12345678",about:'uetq'}], b={ti:"1234567",text:'uetq of a friend'}`),
    [],
  ],
  'a container whose address is concatenated by a function': [
    inline(`var id="${gtm}";var s=document.createElement("script");
s.src="https://www.googletagmanager.com/gtm.js?id=".concat(id);document.head.appendChild(s)`),
    [gtmFound],
    { [containerUrl(gtm)]: containerOf([]) },
  ],
  "a container through Google's tag gateway": [
    inline(gtmSnippet(gtm).replace("'https://www.googletagmanager.com/gtm.js?id='", "'/metrics/?id='")),
    [`gtm ${gtm} @www.hotel.test`, `sgtmid ${gtm} @www.hotel.test`],
    { 'https://www.hotel.test/metrics/?id=GTM-ABC1234': containerOf([]) },
  ],
  'a tag whose id is in a table of the container': [
    inline(gtmSnippet(gtm)),
    [gtmFound, found],
    {
      [containerUrl(gtm)]: containerOf(
        [{ function: '__googtag', vtp_tagId: ['macro', 0] }],
        [{ function: '__smm', vtp_setDefaultValue: true, vtp_defaultValue: 'G-ABCDEF1234' }],
      ),
    },
  ],
  'consent in a variable': [
    inline("var d = {ad_storage:'denied', analytics_storage:'granted'}; gtag('consent','default', d);"),
    ['ad_storage denied', 'analytics_storage granted'],
  ],
  'consent that is merged with other settings': [
    inline("gtag('consent','default',Object.assign({},{ad_storage:'denied'}))"),
    ['ad_storage denied'],
  ],
  'an id in a template string': [inline("const id = `G-ABCDEF1234`; gtag('config', id)"), [found]],
  'a server for all ids': [
    inline(`gtag('set',{server_container_url:'${server}'});gtag('js',new Date());${config}`),
    ['googleanalytics G-ABCDEF1234 @sgtm.hotel.test'],
  ],
  'two scripts, one of them from a server of the operator': [
    `<script src="${server}/gtag/js?id=G-ABCDEF1234"></script>
<script src="https://www.googletagmanager.com/gtag/js?id=AW-123456789"></script>${inline(`${config};gtag('config','AW-123456789')`)}`,
    ['googleanalytics G-ABCDEF1234 @sgtm.hotel.test', 'googleads AW-123456789 @www.googletagmanager.com'],
  ],
  'Usercentrics that a script adds, with rules': [
    inline(`var s=document.createElement('script');s.id='usercentrics-cmp';
s.src='https://app.usercentrics.eu/browser-ui/latest/loader.js';s.setAttribute('data-ruleset-id','RuLe12345')`),
    ['usercentrics RuLe12345 v2 @app.usercentrics.eu [Maps]'],
    {
      'https://api.usercentrics.eu/ruleSet/RuLe12345.json': '{"defaultRule":{"settingsId":"aB3dE5fG7"}}',
      ...settings,
      'https://api.usercentrics.eu/settings/aB3dE5fG7/latest/de.json':
        '{"consentTemplates":[{"templateId":"a","version":"1.0.0"}]}',
      'https://aggregator.service.usercentrics.eu/aggregate/de?templates=a%401.0.0':
        '{"templates":[{"dataProcessor":"Maps"}]}',
    },
  ],
  'Usercentrics 1 that a script adds': [
    inline(`var s=document.createElement('script');s.id='aB3dE5fG7';
s.src='https://app.usercentrics.eu/latest/main.js';document.head.appendChild(s)`),
    ['usercentrics aB3dE5fG7 v1 @app.usercentrics.eu []'],
    settings,
  ],
  'code after a division of an increment': [inline(`a=i++/2;${pixel}b=c/d`), [pixelFound]],
  'code after a regular expression behind a condition': [inline(`if(a)/'/.test(b);${pixel}`), [pixelFound]],
  'code after the end of an HTML-like comment': [inline(`var x = 1;\n--> ${pixel}\n`), []],

  "Matomo's tag manager by its snippet": [
    inline(`var _mtm=window._mtm=window._mtm||[];_mtm.push({'mtm.startTime':(new Date().getTime()),'event':'mtm.Start'});
(function(){var d=document,g=d.createElement('script'),s=d.getElementsByTagName('script')[0];g.async=true;
g.src='${matomoContainer}';s.parentNode.insertBefore(g,s)})();`),
    ['matomo 9 @m.test'],
    { [matomoContainer]: String.raw`{"matomoUrl":"https:\/\/m.test\/","idSite":"9","a":1}` },
  ],
  'a script that code of the page adds': [
    inline(`var s=document.createElement('script');s.src='/js/track.js';document.head.appendChild(s)`),
    [pixelFound],
    { 'https://www.hotel.test/js/track.js': pixel },
  ],
  'an image that code of the page adds': [
    inline(`new Image().src='/js/track'; document.createElement('div')`),
    [],
    { 'https://www.hotel.test/js/track': pixel },
  ],
  "Matomo's id in a variable": [
    inline(`var idSite = 12; var u='https://m.agency.test/'; _paq.push(['setTrackerUrl', u+'matomo.php']);
_paq.push(['setSiteId', idSite]);`),
    ['matomo 12 @m.agency.test'],
  ],
  "Matomo's id that is computed in the browser": [inline("_paq.push(['setSiteId', siteId]);"), []],
  "Piwik's snippet for HTTP and HTTPS": [
    inline(`var u=(("https:" == document.location.protocol) ? "https" : "http") + "://stats.agency.test/";
_paq.push(["setTrackerUrl", u+"piwik.php"]);_paq.push(["setSiteId","14"]);`),
    ['matomo 14 @stats.agency.test'],
  ],
  "Matomo's image under another name": [
    '<noscript><img src="/stats.php?idsite=2&rec=1"></noscript>',
    ['matomo 2 @www.hotel.test'],
  ],
  'a cookie that is removed': [
    inline(`document.cookie = "t3pref=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/";
delCookie('t3pref'); setCookie('t3pentry', '', -1); $.cookie('t3pref', null)`),
    [],
  ],
  'a cookie that is read or named': [
    inline(`$.cookie('t3pref'); checkCookie('t3pentry'); cookieTable('t3pref', 'Speichert die Herkunft')`),
    [],
  ],
  'a cookie that is set beside another that is removed': [
    inline(`document.cookie = "t3pref=" + v; document.cookie = "a=; expires=Thu, 01 Jan 1970 00:00:00 GMT";
$.cookie('t3pentry', v)`),
    ['t3pref', 't3pentry'],
  ],
  "a further script of DigiAccess's": [
    '<script id="dacs" src="https://download.digiaccess.org/digiaccess"></script><script src="https://cdn.digiaccess.org/more.js"></script>',
    ['digiaccess installed @download.digiaccess.org'],
    {
      'https://download.digiaccess.org/digiaccess': 'window.da = {}',
      'https://cdn.digiaccess.org/more.js': 'window.db = {}',
    },
  ],
}

export const formsCorpus: Corpus = Object.fromEntries(
  Object.entries(rows).map(([name, [head, expected, responses = {}]]) => [
    name,
    { page: pageWith(head), responses, expected },
  ]),
)
