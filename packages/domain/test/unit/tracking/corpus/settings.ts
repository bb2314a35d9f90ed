import { type Corpus, containerOf, containerUrl, gtmSnippet, inline, pageWith } from '../page-fixtures.ts'

const pixel = "fbq('init','123456789012345');"
const pixelFound = 'facebookads 123456789012345 @connect.facebook.net'
const analyticsFound = 'googleanalytics G-ABCDEF1234 @www.googletagmanager.com'
const gtmFound = 'gtm GTM-ABC1234 @www.googletagmanager.com'
const container = { [containerUrl('GTM-ABC1234')]: containerOf([]) }
const block = (json: object, attributes: string) =>
  `<script type="application/json" ${attributes}>${JSON.stringify(json).replaceAll('/', String.raw`\/`)}</script>`
const drupal = 'data-drupal-selector="drupal-settings-json"'
const frame = (html: string, attributes = '') =>
  `<iframe ${attributes} srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`

type Row = readonly [body: string, expected: readonly string[], responses?: Corpus[string]['responses']]

const rows: Readonly<Record<string, Row>> = {
  'placeholders instead of ids': [
    inline(`gtag('config','G-XXXXXXXXXX');gtag('config','UA-00000000-0');gtag('config','AW-000000000');
fbq('init','000000000000000',{em:a});ttq.load('XXXXXXXXXXXXXXXXXXXX');_linkedin_partner_id="0000000";
pintrk('load','0000000000000');ga('create','UA-XXXXX-Y','auto');gtag('config','GT-XXXXXXXX')`) +
      inline(gtmSnippet('GTM-XXXX')) +
      inline(gtmSnippet('GTM-YOURID')) +
      `<script src="https://www.googletagmanager.com/gtag/js?id=G-XXXXXXXXXX"></script>
<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-XXXXXXX"></iframe></noscript>
<script id="usercentrics-cmp" data-settings-id="XXXXXXXXX" src="https://app.usercentrics.eu/browser-ui/latest/loader.js"></script>`,
    [],
  ],
  'real ids with many X': [
    inline(`gtag('config','G-XX1XX2XX3X');gtag('config','G-0X0X0X0X0X')`),
    [
      'googleanalytics G-XX1XX2XX3X @www.googletagmanager.com',
      'googleanalytics G-0X0X0X0X0X @www.googletagmanager.com',
    ],
  ],
  'code that a condition disables': [
    inline(`if (false) { ${pixel} gtag('consent','default',{ad_storage:'denied'}) }
if(!1){document.cookie="t3pref=1"}if(0)${gtmSnippet('GTM-ABC1234')}`),
    [],
  ],
  'code beside a disabled condition': [
    inline(`if (false) { fbq('init','999999999999998') } else { ${pixel} }`),
    [pixelFound],
  ],
  'code within a document of a frame': [
    frame(
      `<!DOCTYPE html><title>x</title>${inline(pixel)}<img src="https://ct.pinterest.com/v3/?tid=2612345678901">`,
    ),
    ['facebookads 123456789012345 @connect.facebook.net', 'pinterestads 2612345678901 @ct.pinterest.com'],
  ],
  'a frame document within another': [frame(frame(inline(pixel))), [pixelFound]],
  'a frame document that may run scripts, whatever its address': [
    frame(
      inline(pixel),
      'sandbox="allow-scripts" src="https://www.googletagmanager.com/ns.html?id=GTM-ABC1234"',
    ),
    [pixelFound],
  ],
  'frame documents that run nothing': [
    frame(inline(pixel), 'sandbox') +
      `<noscript>${frame(inline(pixel))}</noscript>` +
      frame(`<!-- ${inline(pixel)} --><template>${inline(pixel)}</template>`),
    [],
  ],
  "Drupal's Google tag": [
    block(
      {
        path: { baseUrl: '/' },
        gtag: { tagId: 'G-ABCDEF1234', consentMode: false, otherIds: ['AW-123456789'], events: [] },
        gtm: { tagId: null, settings: { data_layer: 'dataLayer' }, tagIds: ['GTM-ABC1234'] },
      },
      drupal,
    ),
    [gtmFound, analyticsFound, 'googleads AW-123456789 @www.googletagmanager.com'],
    container,
  ],
  "PixelYourSite's options": [
    inline(
      `/* <![CDATA[ */ var pysOptions = ${JSON.stringify({
        staticEvents: { facebook: { init_event: [{ pixelIds: ['123456789012345'] }] } },
        facebook: { pixelIds: ['123456789012345'], advancedMatching: [], siteUrl: 'https://www.hotel.test' },
        ga: { trackingIds: ['G-ABCDEF1234'] },
        google_ads: { conversion_ids: ['AW-123456789'] },
        bing: { pixelIds: ['12345678'] },
        pinterest: { pixelIds: ['2612345678901'] },
        gdpr: { ajax_enabled: false, facebook_disabled_by_api: true },
      })}; /* ]]> */`,
      'id="pys-js-extra"',
    ),
    [
      analyticsFound,
      'googleads AW-123456789 @www.googletagmanager.com',
      pixelFound,
      'pinterestads 2612345678901 @s.pinimg.com',
      'microsoftads 12345678 @bat.bing.com',
    ],
  ],
  'Pixel Manager, with settings under an id': [
    inline(
      `window.wpmDataLayer = window.wpmDataLayer || {}; window.wpmDataLayer = {"cart":{},"pixels":{"google":{"ads":{"conversion_ids":{"AW-123456789":"abc"}},
"analytics":{"ga4":{"measurement_id":"G-ABCDEF1234"}}},"facebook":{"pixel_id":"123456789012345"},"tiktok":{"pixel_id":"CABCDEFGHIJ123456789"},"linkedin":{"partner_id":"1234567"}}};`,
    ),
    [
      analyticsFound,
      'googleads AW-123456789 @www.googletagmanager.com',
      pixelFound,
      'linkedinads 1234567 @snap.licdn.com',
      'tiktokads CABCDEFGHIJ123456789 @analytics.tiktok.com',
    ],
  ],
  'settings that a WordPress plugin passes to its script': [
    inline(
      `var my_pixels = {"meta_pixel":{"pixel_id":"123456789012345"},"ga4_id":"G-ABCDEF1234","post_id":"1234567890"};`,
      'id="my-pixels-js-extra"',
    ),
    [analyticsFound, pixelFound],
  ],
  "MonsterInsights' function and options": [
    inline(`var monsterinsights_frontend = {"js_events_tracking":"true","v4_id":"G-ABCDEF1234"};`) +
      inline(`__gtagTracker('config', 'G-BBCDEF1234', {"use_amp":false})`),
    ['googleanalytics G-BBCDEF1234 @www.googletagmanager.com', analyticsFound],
  ],
  "a plugin's options in Joomla": [
    block(
      {
        'csrf.token': '0123456789',
        plg_system_gtm: { containerId: 'GTM-ABC1234' },
        'system.paths': { root: '' },
      },
      'class="joomla-script-options new"',
    ),
    [gtmFound],
    container,
  ],
  "TYPO3's settings for its scripts": [
    inline(
      `var TYPO3 = TYPO3 || {}; TYPO3.settings = {"TS":{"analytics":{"measurementId":"G-ABCDEF1234"}}};`,
    ),
    [analyticsFound],
  ],
  'settings that are disabled, empty, commented out or of others': [
    inline(`// pysOptions = {"ga":{"trackingIds":["G-ABCDEF1234"]}}
var text = 'pysOptions = {"ga":{"trackingIds":["G-ABCDEF1234"]}}'; var myOptions = {"facebook":{"pixelIds":["123456789012345"]}};`) +
      inline(
        `var pysOptions = {"facebook":{"enabled":false,"pixelIds":["123456789012345"]},"ga":{"trackingIds":["G-XXXXXXXXXX"]},"user":{"id":"123456789012345"},
"bing":{"events":["12345678"],"count":12345678},"text":"G-ABCDEF1234 is our id"};`,
      ) +
      block({ gtag: { tagId: 'G-ABCDEF1234' } }, 'id="__NUXT_DATA__"') +
      `<script type="application/json" ${drupal}>{"gtag":{"tagId":"G-ABCDEF1234"</script>`,
    [],
  ],
}

export const settingsCorpus: Corpus = Object.fromEntries(
  Object.entries(rows).map(([name, [body, expected, responses = {}]]) => [
    name,
    { page: pageWith('', body), responses, expected },
  ]),
)
