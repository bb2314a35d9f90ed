import {
  type AuditedPages,
  analyticsBefore,
  containerId,
  load,
  measurementId,
  metaBefore,
  page,
  pixelId,
  script,
} from './audited-page.ts'

const meta = (code: string) => ({
  html: page(load('https://connect.facebook.net/en_US/fbevents.js') + script(code)),
  expected: metaBefore,
})
const layer = script(
  'window.dataLayer = window.dataLayer || []; function gtag() { dataLayer.push(arguments) } gtag("js", new Date())',
)
const analytics = (code: string) => ({
  html: page(`${load('https://www.googletagmanager.com/gtag/js')}${layer}${script(code)}`),
  expected: analyticsBefore,
})

/** Spellings that run like the vendors' own. */
const spellings: AuditedPages = {
  'an optional call': meta(`fbq?.('init', '${pixelId}')`),
  'an optional call of a property': meta(`window.fbq?.('init', '${pixelId}')`),
  'a property in brackets': meta(`window['fbq']('init', '${pixelId}')`),
  'a property in brackets of two parts': meta(`window['f' + 'bq']('init', '${pixelId}') // fbq`),
  'the global object as self': meta(`self.fbq('init', '${pixelId}')`),
  'an alias': meta(`const f = fbq; f('init', '${pixelId}')`),
  'an alias of an alias': meta(`const f = window.fbq, g = f; let h = g; h('init', '${pixelId}')`),
  'an alias by destructuring': meta(`const { fbq: f } = window; f('init', '${pixelId}')`),
  'a bound function': meta(`const f = fbq.bind(window); f('init', '${pixelId}')`),
  'a comma expression': meta(`(0, window.fbq)('init', '${pixelId}')`),
  'call with arguments in a list': meta(`fbq.apply(null, ['init', '${pixelId}'])`),
  'a function that is called at once': meta(
    `(function (w, key, id) { w[key]('init', id) })(window, 'fbq', '${pixelId}')`,
  ),
  'an id in an object': meta(
    `const settings = { meta: { id: '${pixelId}' } }; fbq('init', settings.meta.id)`,
  ),
  'a measurement id of two parts': analytics(`gtag('config', 'G-' + 'ABCDEF1234')`),
  'a measurement id in a template': analytics(`const n = 'ABCDEF1234'; gtag('config', \`G-\${n}\`)`),
  'a measurement id with escapes': analytics(String.raw`gtag('config', '\x47\u002dABCDEF1234')`),
  'the global object as globalThis': analytics(`globalThis.gtag('config', '${measurementId}')`),
  'a wrapper under another name': analytics(
    `function track() { dataLayer.push(arguments) } track('config', '${measurementId}') // gtag`,
  ),
  'consent for all but one purpose, with a nested object': {
    html: page(
      `${load('https://www.googletagmanager.com/gtag/js')}${layer}${script(
        `gtag('consent', 'default', { ad_storage: 'denied', more: { wait: { ms: 500 } }, analytics_storage: 'granted' }); gtag('config', '${measurementId}')`,
      )}`,
    ),
    expected: [...analyticsBefore, 'found: ad_storage denied', 'found: analytics_storage granted'],
  },
  'Tag Manager by a function of the site': {
    html: page(
      script(
        `const add = (src) => { const s = document.createElement('script'); s.src = src; document.head.append(s) };
add('https://www.googletagmanager.com/gtm.js?id=' + ['GTM', 'ABC1234'].join('-'))`,
      ),
    ),
    // A tag manager needs no consent by itself.
    expected: [`found: gtm ${containerId}`],
  },
}

const loads = (url: string, ...expected: string[]) => ({ html: page(load(url)), expected })

const services: AuditedPages = {
  Hotjar: loads('https://static.hotjar.com/c/hotjar-1234567.js?sv=6', 'before: Hotjar'),
  Clarity: loads('https://www.clarity.ms/tag/abcdefghij', 'before: Clarity'),
  Criteo: loads('https://dynamic.criteo.com/js/ld/ld.js?a=12345', 'before: Criteo'),
  HubSpot: loads('https://js-eu1.hs-scripts.com/1234567.js', 'before: HubSpot'),
  Klaviyo: loads('https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=AbCd12', 'before: Klaviyo'),
  etracker: loads('https://code.etracker.com/code/e.js', 'before: etracker'),
  Snapchat: loads('https://sc-static.net/scevent.min.js', 'before: Snapchat'),
  X: loads('https://static.ads-twitter.com/uwt.js', 'before: X Ads'),
  'Crazy Egg': loads('https://script.crazyegg.com/pages/scripts/0012/3456.js', 'before: Crazy Egg'),
  Mouseflow: loads('https://cdn.mouseflow.com/projects/abc.js', 'before: Mouseflow'),
  'Yandex Metrica': loads('https://mc.yandex.ru/metrika/tag.js', 'before: Yandex Metrica'),
  Outbrain: loads('https://amplify.outbrain.com/cp/obtp.js', 'before: Outbrain'),
  YouTube: {
    html: page('', '<iframe src="https://www.youtube.com/embed/abc"></iframe>'),
    expected: ['before: YouTube'],
  },
  Vimeo: {
    html: page('', '<iframe src="https://player.vimeo.com/video/1"></iframe>'),
    expected: ['before: Vimeo'],
  },
  'Google Fonts': {
    html: page('<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">'),
    expected: ['review before: Google Fonts'],
  },
  reCAPTCHA: loads('https://www.google.com/recaptcha/api.js', 'review before: Google reCAPTCHA'),
}

const cloaked = (target: string, entity: string) => ({
  html: page(load('https://x7k.DOMAIN/p.js')),
  aliases: { x7k: target },
  expected: [`before: ${entity}`],
})

/** Trackers under a name of the web's own domain. */
const cloaking: AuditedPages = {
  'Criteo by an alias': cloaked('gum.criteo.com', 'Criteo'),
  'Adobe by an alias': cloaked('hotel.sc.omtrdc.net', 'Adobe Experience Cloud'),
  'Eulerian by an alias': cloaked('hotel.eulerian.net', 'Eulerian'),
  'Webtrekk by an alias': cloaked('hotel.wt-eu02.net', 'Webtrekk'),
  'AT Internet by an alias, as an image': {
    html: page('', '<img src="https://x7k.DOMAIN/hit.xiti?s=1" alt="">'),
    aliases: { x7k: 'hotel.xiti.com' },
    expected: ['before: XiTi'],
  },
}

const stores = (code: string, ...expected: string[]) => ({ html: page(script(code)), expected })

/** What is stored without a request to a tracker. */
const storage: AuditedPages = {
  "Google Analytics' cookie": stores(
    `document.cookie = '_ga=GA1.2.1.1; path=/; max-age=63072000'`,
    'before: Google Analytics stores _ga',
  ),
  "Google Ads' cookie": stores(
    `document.cookie = '_gcl_au=1.1.1; path=/; max-age=7776000'`,
    'before: Google Ads stores _gcl_au',
  ),
  "Meta's cookie from the server": {
    html: page(''),
    headers: { 'set-cookie': '_fbp=fb.1.1.1; Path=/; Max-Age=7776000; HttpOnly' },
    expected: ['before: Facebook Ads stores _fbp'],
  },
  "Hotjar's entry in the session storage": stores(
    `sessionStorage.setItem('_hjSessionUser_1', '{}')`,
    'before: Hotjar stores _hjSessionUser_1',
  ),
  "Clarity's cookie": stores(
    `document.cookie = '_clck=1; path=/; max-age=3600'`,
    'before: Clarity stores _clck',
  ),
  "Klaviyo's entry in the local storage": stores(
    `localStorage.setItem('klaviyoOnsite', '{}')`,
    'before: Klaviyo stores klaviyoOnsite',
  ),
  "Criteo's cookie, later": stores(
    `setTimeout(() => { document.cookie = 'cto_bundle=x; path=/; max-age=3600' }, 1500)`,
    'before: Criteo stores cto_bundle',
  ),
}

export const trackingPages: AuditedPages = { ...spellings, ...services, ...cloaking, ...storage }
