import { type ConsentTool, consentTools, pageWith } from '@kustos/clients/testing/consent-tools'
import { type AuditedPage, type AuditedPages, metaBefore, page, pixelId, script } from './audited-page.ts'

/** What all these pages load with consent, and liars without it. */
const tracker = `document.cookie = '_fbp=fb.1.1.1; path=/; max-age=7776000'
new Image().src = 'https://www.facebook.com/tr/?id=${pixelId}&ev=PageView'`

const scripts = { '/track.js': tracker }
const found = `found: facebookads ${pixelId}`

const answersOf = ({ manager, withdrawn }: ConsentTool): string[] => [
  `accepted by ${manager}`,
  `refused by ${manager}`,
  ...(withdrawn === null ? [] : [`withdrawn by ${manager}`]),
]

const findTool = (name: string): ConsentTool => {
  const tool = consentTools.find(({ manager }) => manager === name)
  if (tool === undefined) throw new Error(`There is no page for ${name}`)
  return tool
}

/** With a withdrawal the cookie goes, too. */
const removes = `choose = ((own) => (answer) => {
  if (answer === 'no') document.cookie = '_fbp=; path=/; max-age=0'
  own(answer)
})(choose)`

/** Pages whose banner does what it says. */
export const obeyingPages: AuditedPages = Object.fromEntries(
  consentTools.map((tool, index) => [
    `the banner of ${tool.manager} (${index})`,
    { html: pageWith(tool, removes), scripts, expected: [...answersOf(tool), found] },
  ]),
)

const lying = (manager: string, lies: string, ...expected: string[]): AuditedPage => {
  const answers = answersOf(findTool(manager))
  return {
    html: pageWith(findTool(manager), lies),
    scripts,
    expected: [...answers, found, ...expected].sort(),
  }
}

const stored = 'Facebook Ads stores _fbp'
/** What was stored with consent and is still there without it is for staff to look at. */
const kept = `review withdrawn: ${stored}`

const ownBanner = (buttons: string) =>
  `<div id="banner" role="dialog">Wir verwenden Cookies. ${buttons}</div>`
const track = `function track() { document.head.append(Object.assign(document.createElement('script'), { src: '/track.js' })) }
function hide() { document.getElementById('banner').remove() }`

/** Pages that say something else than they do. */
export const lyingPages: AuditedPages = {
  'a refusal that is taken for consent': lying(
    'CCM19',
    `choose = ((own) => () => own('yes'))(choose)`,
    'refused: Facebook Ads',
    `refused: ${stored}`,
    'withdrawn: Facebook Ads',
    kept,
  ),
  'a refusal after which the page tracks at once': lying(
    'Termly',
    `choose = ((own) => (answer) => { own(answer); track() })(choose)`,
    'refused: Facebook Ads',
    `refused: ${stored}`,
    kept,
  ),
  'tracking beside a banner that nobody has answered': lying(
    'Didomi',
    'track()',
    'before: Facebook Ads',
    `before: ${stored}`,
    'refused: Facebook Ads',
    'withdrawn: Facebook Ads',
  ),
  'a refusal that only hides the banner until the page is loaded again': lying(
    'CookieYes',
    `choose = ((own) => (answer) => answer === 'yes' ? own(answer) : (localStorage.seen = 1, showBanner(false)))(choose)
    addEventListener('DOMContentLoaded', () => { if (localStorage.seen) track() })`,
    'refused: Facebook Ads',
    `refused: ${stored}`,
    'withdrawn: Facebook Ads',
    kept,
  ),
  'a withdrawal that is forgotten': lying(
    'Osano',
    `choose = ((own) => (answer) => own(choice() === 'yes' ? 'yes' : answer))(choose)`,
    'withdrawn: Facebook Ads',
    kept,
  ),
  'a refusal that sets a cookie without a request': lying(
    'TrustArc',
    `choose = ((own) => (answer) => { own(answer); document.cookie = '_fbp=fb.1.1.1; path=/; max-age=7776000' })(choose)`,
    `refused: ${stored}`,
    kept,
  ),
  'tracking on a page that falsifies what is asked of it': lying(
    'iubenda',
    `document.querySelector = document.querySelectorAll = () => { throw new Error('no') }
    JSON.stringify = () => '{}'; Storage.prototype.key = () => null; indexedDB.databases = async () => []
    addEventListener('DOMContentLoaded', track)`,
    'before: Facebook Ads',
    `before: ${stored}`,
    'refused: Facebook Ads',
    'withdrawn: Facebook Ads',
  ),
  'a banner of its own whose refusal tracks': {
    html: page(
      script(track),
      ownBanner(
        '<button onclick="hide();track()">Alle akzeptieren</button> <button onclick="hide();track()">Alle ablehnen</button>',
      ),
    ),
    scripts,
    expected: [
      'accepted by its label',
      found,
      'refused by its label',
      'refused: Facebook Ads',
      `refused: ${stored}`,
    ],
  },
  'a banner that only informs': {
    html: page(script(`${track}; track()`), ownBanner('<button onclick="hide()">OK</button>')),
    scripts,
    expected: metaBefore,
  },
  'tracking of phones only': {
    html: page(script(`${track}; if (innerWidth < 600) track()`)),
    scripts,
    expected: metaBefore,
  },
  'tracking a while after the page has loaded': {
    html: page(script(`${track}; addEventListener('load', () => setTimeout(track, 1500))`)),
    scripts,
    expected: metaBefore,
  },
  'tracking by a picture in a style': {
    html: page(
      `<style>h1 { background: url('https://www.facebook.com/tr/?id=${pixelId}&ev=PageView&noscript=1') }</style>`,
    ),
    expected: ['before: Facebook Ads', found],
  },
}
