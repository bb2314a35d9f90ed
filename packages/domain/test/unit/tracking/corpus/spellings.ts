import { type Corpus, containerOf, containerUrl, inline, pageWith } from '../page-fixtures.ts'

const id = '123456789012345'
const other = '223456789012345'
const meta = (value = id) => `facebookads ${value} @connect.facebook.net`
const analytics = (value = 'G-ABCDEF1234') => `googleanalytics ${value} @www.googletagmanager.com`
const gtm = 'gtm GTM-ABC1234 @www.googletagmanager.com'
const container = { [containerUrl('GTM-ABC1234')]: containerOf([]) }
const tiktok = 'tiktokads CABCDEF1234567890XYZ @analytics.tiktok.com'

type Row = readonly [
  code: string,
  expected: readonly string[],
  more?: { readonly responses?: Corpus[string]['responses']; readonly attributes?: string },
]

/** Ways of writing code that runs like the vendors' own, which patterns do not recognise. */
const rows: Readonly<Record<string, Row>> = {
  'an optional call': [`fbq?.('init', '${id}')`, [meta()]],
  'an optional call of a property': [`window.fbq?.('init', '${id}')`, [meta()]],
  'an optional property': [`window?.ttq?.load?.('CABCDEF1234567890XYZ')`, [tiktok]],
  'a property in brackets': [`window['fbq']('init', '${id}')`, [meta()]],
  'a property in brackets, concatenated': [`window['f' + 'bq']('init', '${id}') // fbq`, [meta()]],
  'the global object as self': [`self.fbq('init', '${id}')`, [meta()]],
  'the global object as globalThis': [`globalThis.gtag('config', 'G-ABCDEF1234')`, [analytics()]],
  'the global object as this': [`this.fbq('init', '${id}')`, [meta()]],
  'the global object in a variable': [`var w = window; w.fbq('init', '${id}')`, [meta()]],
  'a window of a window': [`window.self.window.fbq('init', '${id}')`, [meta()]],
  'the window of the document': [`document.defaultView.fbq('init', '${id}')`, [meta()]],
  'an id of two parts': [`gtag('config', 'G-' + 'ABCDEF1234')`, [analytics()]],
  'an id of many parts': [
    `var g = 'G'; gtag('config', g + '-' + ['ABC', 'DEF'].join('') + 12 + '34')`,
    [analytics()],
  ],
  'an id in a template': [`const n = 'ABCDEF1234'; gtag('config', \`G-\${n}\`)`, [analytics()]],
  'an id with escapes': [String.raw`gtag('config', '\x47\u002dABCDEF1234')`, [analytics()]],
  'an id in capitals by a function': [`gtag('config', 'g-abcdef1234'.toUpperCase())`, [analytics()]],
  'an alias of a function': [`const f = fbq; f('init', '${id}')`, [meta()]],
  'an alias of an alias': [`const f = window.fbq, g = f; let h = g; h('init', '${id}')`, [meta()]],
  'an alias by destructuring': [
    `const { fbq: f, gtag } = window; f('init', '${id}'); gtag('config', 'G-ABCDEF1234')`,
    [analytics(), meta()],
  ],
  'an alias in an object': [`const send = { meta: fbq }; send.meta('init', '${id}')`, [meta()]],
  'a function that is assigned to another name': [`window.pixel = fbq; pixel('init', '${id}')`, [meta()]],
  'a bound function': [`const f = fbq.bind(window); f('init', '${id}')`, [meta()]],
  'an id in a constant': [`const id = 'G-ABCDEF1234'; gtag('config', id)`, [analytics()]],
  'an id in an object': [
    `const settings = { meta: { id: '${id}' } }; fbq('init', settings.meta.id)`,
    [meta()],
  ],
  'an id in a property of the window': [`window.pixelId = '${id}'; fbq('init', window.pixelId)`, [meta()]],
  'an id in an object of the window': [
    `window.site = window.site || {}; site.ga = 'G-ABCDEF1234'; gtag('config', window.site.ga)`,
    [analytics()],
  ],
  'one of two ids': [
    `gtag('config', location.hostname === 'www.hotel.test' ? 'G-ABCDEF1234' : 'G-TEST123456')`,
    [analytics(), analytics('G-TEST123456')],
  ],
  'an id as a default': [`fbq('init', window.pixel || '${id}')`, [meta()]],
  'an id that a function returns': [`const pixel = () => '${id}'; fbq('init', pixel())`, [meta()]],
  'ids in a list': [`['${id}', '${other}'].forEach((one) => fbq('init', one))`, [meta(), meta(other)]],
  'ids in a loop': [`for (const one of ['${id}', '${other}']) { fbq('init', one) }`, [meta(), meta(other)]],
  'an id in an argument': [
    `function start(pixel) { fbq('init', pixel) } start('${id}'); start('${other}')`,
    [meta(), meta(other)],
  ],
  'a wrapper under another name': [
    `function track() { dataLayer.push(arguments) } track('js', new Date()); track('config', 'G-ABCDEF1234')`,
    [analytics()],
  ],
  'a wrapper with rest parameters': [
    `const track = (...command) => window.dataLayer.push(command); track('config', 'G-ABCDEF1234') // gtag`,
    [analytics()],
  ],
  'a wrapper in a property': [
    `window.tag = function () { (window.dataLayer = window.dataLayer || []).push(arguments) }; tag('config', 'G-ABCDEF1234') // gtag`,
    [analytics()],
  ],
  'a wrapper that applies its arguments': [
    `function meta() { window.fbq.apply(window, arguments) } meta('init', '${id}')`,
    [meta()],
  ],
  'a comma expression': [`(0, fbq)('init', '${id}')`, [meta()]],
  'a comma expression with a property': [
    `(0, window.fbq)("init", "${id}"), (1, ttq).load("CABCDEF1234567890XYZ")`,
    [meta(), tiktok],
  ],
  call: [`fbq.call(window, 'init', '${id}')`, [meta()]],
  apply: [`fbq.apply(null, ['init', '${id}'])`, [meta()]],
  'apply with a list in a variable': [
    `var command = ['config', 'G-ABCDEF1234']; gtag.apply(this, command)`,
    [analytics()],
  ],
  'a spread list': [`fbq(...['init', '${id}'])`, [meta()]],
  'a function that is called at once': [`(function (f, pixel) { f('init', pixel) })(fbq, '${id}')`, [meta()]],
  'an arrow function that is called at once': [
    `((w, key, pixel) => { w[key]('init', pixel) })(window, 'fbq', '${id}')`,
    [meta()],
  ],
  'a function that is called at once with call': [
    `(function (w) { w.fbq('init', '${id}') }).call(this, window)`,
    [meta()],
  ],
  'an asynchronous function': [`(async () => { await ready(); fbq('init', '${id}') })()`, [meta()]],
  'a callback': [
    `document.addEventListener('scroll', () => { fbq('init', '${id}') }, { once: true })`,
    [meta()],
  ],
  'comments within a call': [`fbq /* Meta */ (\n// the pixel\n'init', /* id */ '${id}')`, [meta()]],
  'code after a function that returns': [`function ready() { return true; } fbq('init', '${id}')`, [meta()]],
  'code after a switch': [`switch (a) { case 1: b(); break; default: c() } fbq('init', '${id}')`, [meta()]],
  'code behind a flag that changes': [
    `let on = false; addEventListener('x', () => { on = true }); if (on) fbq('init', '${id}')`,
    [meta()],
  ],
  'code behind a global flag, which another script may set': [
    `var on = false; if (on) fbq('init', '${id}')`,
    [meta()],
  ],
  'consent with a nested object': [
    `gtag('consent', 'default', { ad_storage: 'denied', more: { wait: { ms: 500 } }, analytics_storage: 'denied' })`,
    ['ad_storage denied', 'analytics_storage denied'],
  ],
  'consent that spreads other settings': [
    `const all = { ad_storage: 'granted', analytics_storage: 'denied' }; gtag('consent', 'default', { ...all, ad_storage: 'denied' })`,
    ['ad_storage denied', 'analytics_storage denied'],
  ],
  'consent by a wrapper, with constants': [
    `const NO = 'denied'; function t() { dataLayer.push(arguments) } t('consent', 'default', { 'ad_storage': NO, region: ['DE'] }) // gtag`,
    ['ad_storage denied'],
  ],
  'Tag Manager by an id of two parts': [
    `var s = document.createElement('script'); s.src = 'https://www.googletagmanager.com/gtm.js?id=' + ['GTM', 'ABC1234'].join('-'); document.head.append(s)`,
    [gtm],
    { responses: container },
  ],
  'Tag Manager by a function of the site': [
    `const add = (src) => { const s = document.createElement('script'); s.src = src; document.head.append(s) };
const id = 'GTM-ABC1234'; add('https://www.googletagmanager.com/gtm.js?id=' + id)`,
    [gtm],
    { responses: container },
  ],
  'a script element with assigned properties': [
    `document.head.append(Object.assign(document.createElement('script'), { async: true, src: 'https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234' }))`,
    [analytics()],
  ],
  'a script element whose name is in a variable': [
    `const tag = 'script', s = document.createElement(tag); s.src = '/track.php'; document.head.append(s)`,
    [meta()],
    { responses: { 'https://www.hotel.test/track.php': `fbq('init', '${id}')` } },
  ],
  'Pinterest by an alias': [
    `var p = window.pintrk; p('load', '2612345678901')`,
    ['pinterestads 2612345678901 @s.pinimg.com'],
  ],
  "LinkedIn's id in brackets": [
    `window['_linkedin_partner_id'] = '1234567'`,
    ['linkedinads 1234567 @snap.licdn.com'],
  ],
  "Microsoft's id of two parts": [
    `window.uetq = new UET({ q: [], 'ti': '123' + '45678' })`,
    ['microsoftads 12345678 @bat.bing.com'],
  ],
  "Matomo's commands in its queue": [
    `var _paq = [['setTrackerUrl', 'https://m.test/matomo.php'], ['setSiteId', '7']]`,
    ['matomo 7 @m.test'],
  ],
  "Matomo's commands by an alias, several at once": [
    `const queue = window._paq = window._paq || [], base = 'https://m.test/'; queue.push(['setTrackerUrl', base.concat('matomo.php')], ['setSiteId', 7])`,
    ['matomo 7 @m.test'],
  ],
  'a cookie whose name is in a constant': [
    `const NAME = 't3pref'; document.cookie = \`\${NAME}=\${document.referrer}; path=/\``,
    ['t3pref'],
  ],
  'a cookie by an alias of the document': [
    `var d = document; d.cookie = 't3pentry=' + location.href`,
    ['t3pentry'],
  ],
  'an alias in a script that waits for consent': [
    `const f = window['fbq']; f?.('init', '${id}')`,
    [`${meta()} (gated)`],
    { attributes: 'type="text/plain" data-cookieconsent="marketing"' },
  ],
  'a wrapper in a script that waits for consent': [
    `function t() { dataLayer.push(arguments) } t('config', 'G-' + 'ABCDEF1234') // gtag`,
    [`${analytics()} (gated)`],
    { attributes: 'type="text/plain" data-usercentrics="Google Analytics 4"' },
  ],
}

export const spellingsCorpus: Corpus = Object.fromEntries(
  Object.entries(rows).map(([name, [code, expected, { responses = {}, attributes = '' } = {}]]) => [
    name,
    { page: pageWith(inline(code, attributes)), responses, expected },
  ]),
)
