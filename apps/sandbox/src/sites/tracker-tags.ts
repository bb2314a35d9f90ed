import type { TrackingData } from '@kustos/contract/webs'
import { escapeHtml } from '../html.ts'
import { readVendorScript } from './vendor-scripts.ts'

type Services = TrackingData['tracking_services']

/** Services that a web loads through its tag manager, if it has one. */
const tagManagerServices: readonly (keyof Services)[] = ['pinterestads', 'linkedinads', 'tiktokads']

const consentNames: Readonly<Record<keyof Services, string>> = {
  matomo: 'Matomo (self hosted)',
  googleanalytics: 'Google Analytics 4',
  googleads: 'Google Ads Conversion',
  facebookads: 'Facebook Pixel',
  pinterestads: 'Pinterest Tag',
  microsoftads: 'Microsoft Advertising',
  linkedinads: 'LinkedIn Insight Tag',
  tiktokads: 'TikTok Pixel',
}

interface FoundService {
  readonly id: string
  readonly domain: string
}

/** The code that starts each service, according to the vendor's manual. */
const startCode: Readonly<Record<keyof Services, (service: FoundService, tracking: TrackingData) => string>> =
  {
    googleanalytics: ({ id, domain }) => {
      const server =
        domain === 'www.googletagmanager.com' ? '' : `, {server_container_url: 'https://${domain}'}`
      return `gtag('js', new Date()); gtag('config', '${id}'${server}); loadScript('https://${domain}/gtag/js?id=${id}');`
    },
    googleads: ({ id }) =>
      `var google_conversion_id = ${id.replace('AW-', '')}; loadScript('https://www.googleadservices.com/pagead/conversion.js');`,
    facebookads: ({ id }, { fbadvancedmatching }) => {
      const matching = fbadvancedmatching ? ', {em: document.body.dataset.guest}' : ''
      return `loadScript('https://connect.facebook.net/en_US/fbevents.js'); fbq('init', '${id}'${matching}); fbq('track', 'PageView');`
    },
    pinterestads: ({ id }) =>
      `loadScript('https://s.pinimg.com/ct/core.js'); pintrk('load', '${id}'); pintrk('page');`,
    microsoftads: ({ id }) =>
      `window.uetq = window.uetq || []; loadScript('https://bat.bing.com/bat.js', function(){ new UET({ti: '${id}', q: window.uetq}); });`,
    linkedinads: ({ id }) =>
      `_linkedin_partner_id = '${id}'; loadScript('https://snap.licdn.com/li.lms-analytics/insight.min.js');`,
    tiktokads: ({ id }) => `ttq.load('${id}'); ttq.page();`,
    matomo: ({ id, domain }) =>
      `var _paq = window._paq = window._paq || []; _paq.push(['setTrackerUrl', 'https://${domain}/matomo.php'], ['setSiteId', '${id}'], ['trackPageView']); loadScript('https://${domain}/matomo.js');`,
  }
/** The order in a page. */
const serviceNames = Object.keys(startCode) as (keyof Services)[]

const inline = (code: string) => `<script>${code}</script>`
const deferred = (src: string, attributes = '') => `<script ${attributes}src="${src}" defer></script>`

/** Tags for everything an audit should find. */
export function trackerTags(tracking: TrackingData): readonly string[] {
  const { usercentrics, gtm, digiaccess, referrerjs, cookies } = tracking
  // A consent manager holds services back until the visitor agrees.
  const wrap = (name: keyof Services, code: string) =>
    usercentrics === null
      ? inline(code)
      : `<script type="text/plain" data-usercentrics="${consentNames[name]}">${code}</script>`
  const ownServices = serviceNames.filter((name) => gtm === null || !tagManagerServices.includes(name))
  const cookieNames = (['t3pref', 't3pentry'] as const).filter((name) => cookies[name])
  return [
    inline('window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments);}'),
    inline(readVendorScript('loader')),
    ...consentDefaults(tracking).map(inline),
    ...(usercentrics === null ? [] : [consentManagerTag(usercentrics)]),
    ...(gtm === null ? [] : [inline(tagManagerSnippet(gtm))]),
    ...ownServices.flatMap((name) =>
      tracking.tracking_services[name].map((service) => wrap(name, startCode[name](service, tracking))),
    ),
    ...(referrerjs === null
      ? []
      : [deferred(referrerjs.version === 1 ? '/js/referrer.js' : `/js/referrer-${referrerjs.version}.js`)]),
    ...cookieNames.map((name) =>
      inline(`document.cookie = '${name}=' + encodeURIComponent(document.referrer) + '; path=/';`),
    ),
    ...(tracking.polyfillio ? [deferred('https://cdn.polyfill.io/v3/polyfill.min.js')] : []),
    ...(digiaccess === 0
      ? []
      : [deferred(digiaccess === 2 ? digiAccessUrl : abandonedDigiAccessUrl, 'id="dacs" ')]),
  ]
}

export const digiAccessUrl = 'https://download.digiaccess.org/digiaccess'
const abandonedDigiAccessUrl = 'https://download.digiaccess.org/widget.js'

/** The agency's own referrer.js. */
export const referrerScript = "sessionStorage.setItem('referrer', document.referrer);\n"

function consentDefaults({ consentmode }: TrackingData): readonly string[] {
  const states = Object.entries(consentmode ?? {}).filter(([, state]) => state !== null)
  if (states.length === 0) return []
  return [
    `gtag('consent', 'default', {${states.map(([signal, state]) => `'${signal}': '${state}'`).join(', ')}});`,
  ]
}

function consentManagerTag({ id, version, src }: NonNullable<TrackingData['usercentrics']>): string {
  const attributes = version === 1 ? `id="${id}"` : `id="usercentrics-cmp" data-settings-id="${id}"`
  return `<script src="${escapeHtml(src)}" ${attributes} async></script>`
}

const tagManagerSnippet = ({ domain, id }: NonNullable<TrackingData['gtm']>) =>
  `(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});
var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src='https://${domain}/gtm.js?id='+i;
f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','${id}');`

/** A Google Tag Manager container with the tags of its web. */
export function tagManagerScript({ tracking_services: services }: TrackingData): string {
  const tags = [
    ...services.pinterestads.map(({ id }) => ({ function: '__pntr', vtp_tagId: id })),
    ...services.linkedinads.map(({ id }) => ({ function: '__bzi', vtp_id: id })),
    ...services.tiktokads.map(({ id }) => ({
      function: '__html',
      vtp_html: `<script type="text/gtmscript">ttq.load("${id}");ttq.page();</script>`,
    })),
  ]
  const resource = { version: '1', macros: [], tags, predicates: [], rules: [] }
  return `(function(){var data = {"resource": ${JSON.stringify(resource).replaceAll('<', String.raw`\u003C`)},"runtime":[]};
${readVendorScript('tag-manager')}})();`
}
