import type { TrackingData } from '@kustos/contract/webs'
import { escaped } from '../html.ts'
import { containerRuntime } from './vendor-scripts.ts'

type Services = TrackingData['tracking_services']

/** Services that a web with a container loads through it, so that there are such too. */
const contained = ['pinterestads', 'linkedinads', 'tiktokads'] as const

const settingsServices: Readonly<Record<keyof Services, string>> = {
  matomo: 'Matomo (self hosted)',
  googleanalytics: 'Google Analytics 4',
  googleads: 'Google Ads Conversion',
  facebookads: 'Facebook Pixel',
  pinterestads: 'Pinterest Tag',
  microsoftads: 'Microsoft Advertising',
  linkedinads: 'LinkedIn Insight Tag',
  tiktokads: 'TikTok Pixel',
}

/** What a web's page loads, so that who audits it sees what is said of the web: each as its vendor's manual has it. */
export function trackersOf(tracking: TrackingData): readonly string[] {
  const { usercentrics, gtm, tracking_services: services, digiaccess, referrerjs, cookies } = tracking
  const inline = (code: string) => `<script>${code}</script>`
  // With a consent manager services wait for the visitor's consent.
  const held = (name: keyof Services, code: string) =>
    usercentrics === null
      ? inline(code)
      : `<script type="text/plain" data-usercentrics="${settingsServices[name]}">${code}</script>`
  const each = (name: keyof Services, code: (found: Services[typeof name][number]) => string) =>
    gtm !== null && contained.some((other) => other === name)
      ? []
      : services[name].map((found) => held(name, code(found)))
  return [
    inline('window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments);}'),
    inline(base),
    ...consentOf(tracking).map(inline),
    ...(usercentrics === null ? [] : [managerOf(usercentrics)]),
    ...(gtm === null ? [] : [inline(snippetOf(gtm))]),
    ...each('googleanalytics', ({ id, domain }) => {
      const server =
        domain === 'www.googletagmanager.com' ? '' : `, {server_container_url: 'https://${domain}'}`
      const script = server === '' ? 'www.googletagmanager.com' : domain
      return `gtag('js', new Date()); gtag('config', '${id}'${server}); loadScript('https://${script}/gtag/js?id=${id}');`
    }),
    ...each(
      'googleads',
      ({ id }) =>
        `var google_conversion_id = ${id.replace('AW-', '')}; loadScript('https://www.googleadservices.com/pagead/conversion.js');`,
    ),
    ...each('facebookads', ({ id }) => {
      const matching = tracking.fbadvancedmatching ? ', {em: document.body.dataset.guest}' : ''
      return `loadScript('https://connect.facebook.net/en_US/fbevents.js'); fbq('init', '${id}'${matching}); fbq('track', 'PageView');`
    }),
    ...each(
      'pinterestads',
      ({ id }) => `loadScript('https://s.pinimg.com/ct/core.js'); pintrk('load', '${id}'); pintrk('page');`,
    ),
    ...each(
      'microsoftads',
      ({ id }) =>
        `window.uetq = window.uetq || []; loadScript('https://bat.bing.com/bat.js', function(){ new UET({ti: '${id}', q: window.uetq}); });`,
    ),
    ...each(
      'linkedinads',
      ({ id }) =>
        `_linkedin_partner_id = '${id}'; loadScript('https://snap.licdn.com/li.lms-analytics/insight.min.js');`,
    ),
    ...each('tiktokads', ({ id }) => `ttq.load('${id}'); ttq.page();`),
    ...each('matomo', ({ id, domain }) => {
      const url = `https://${domain}/matomo.php`
      return `var _paq = window._paq = window._paq || []; _paq.push(['setTrackerUrl', '${url}'], ['setSiteId', '${id}'], ['trackPageView']); loadScript('https://${domain}/matomo.js');`
    }),
    ...(referrerjs === null ? [] : [`<script src="${referrerFile(referrerjs.version)}" defer></script>`]),
    ...(['t3pref', 't3pentry'] as const)
      .filter((name) => cookies[name])
      .map((name) =>
        inline(`document.cookie = '${name}=' + encodeURIComponent(document.referrer) + '; path=/';`),
      ),
    ...(tracking.polyfillio
      ? ['<script src="https://cdn.polyfill.io/v3/polyfill.min.js" defer></script>']
      : []),
    ...(digiaccess === 0
      ? []
      : [`<script id="dacs" src="${digiaccess === 2 ? digiAccess : digiAccessOfOld}" defer></script>`]),
  ]
}

/** What the vendors' snippets begin with: how their scripts are loaded, and what takes calls until these are there. */
const base = `function loadScript(url, then){var s=document.createElement('script');s.async=true;s.onload=then||null;s.src=url;document.head.appendChild(s);}
function queued(name){window[name]=window[name]||function(){(window[name].queue=window[name].queue||[]).push(arguments);};}
queued('fbq');queued('pintrk');
window.ttq=window.ttq||{page:function(){},load:function(id){loadScript('https://analytics.tiktok.com/i18n/pixel/events.js?sdkid='+id+'&lib=ttq');}};`

export const digiAccess = 'https://download.digiaccess.org/digiaccess'
/** An address that nothing is at any more. */
const digiAccessOfOld = 'https://download.digiaccess.org/widget.js'

/** What the agency's own referrer.js does. */
export const referrerScript = "sessionStorage.setItem('referrer', document.referrer);\n"

const referrerFile = (version: number) => (version === 1 ? '/js/referrer.js' : `/js/referrer-${version}.js`)

function consentOf({ consentmode }: TrackingData): readonly string[] {
  const states = Object.entries(consentmode ?? {}).filter(([, state]) => state !== null)
  if (states.length === 0) return []
  return [
    `gtag('consent', 'default', {${states.map(([signal, state]) => `'${signal}': '${state}'`).join(', ')}});`,
  ]
}

function managerOf({ id, version, src }: NonNullable<TrackingData['usercentrics']>): string {
  const named = version === 1 ? `id="${id}"` : `id="usercentrics-cmp" data-settings-id="${id}"`
  return `<script src="${escaped(src)}" ${named} async></script>`
}

const snippetOf = ({ domain, id }: NonNullable<TrackingData['gtm']>) =>
  `(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});
var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src='https://${domain}/gtm.js?id='+i;
f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','${id}');`

/** A container's script, with the tags that its web has there. */
export function containerOf({ tracking_services: services }: TrackingData): string {
  const tags = [
    ...services.pinterestads.map(({ id }) => ({ function: '__pntr', vtp_tagId: id })),
    ...services.linkedinads.map(({ id }) => ({ function: '__bzi', vtp_id: id })),
    ...services.tiktokads.map(({ id }) => ({
      function: '__html',
      vtp_html: `<script type="text/gtmscript">ttq.load("${id}");ttq.page();</script>`,
    })),
  ]
  const resource = { version: '1', macros: [], tags, predicates: [], rules: [] }
  return `(function(){var data = {"resource": ${JSON.stringify(resource).replaceAll('<', String.raw`\u003C`)},"runtime":[]};${containerRuntime}})();`
}
