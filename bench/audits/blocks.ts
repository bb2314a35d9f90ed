import { setTimeout as sleep } from 'node:timers/promises'
import type { Visit } from '@kustos/clients/page'
import { lookAt } from '@kustos/domain/tracking'

/**
 * How long audits of hostile pages keep a worker from everything else: the longest stretch of its event loop without a
 * break, four audits at a time, beside that of a page that means no harm. In processor time, so that what else the machine
 * does is not counted; collections of garbage are.
 */
const atOnce = 4
const MiB = 1024 * 1024
const home = 'https://web.test/'
const many = (part: string, size = 2 * MiB) => part.repeat(Math.floor(size / part.length))

const scripts = Array.from({ length: 30 }, (_, index) => `/script-${index}.js`)
const named = scripts.map((path) => `<script src="${path}"></script>`).join('')
const telling = 'gtag fbq _paq uetq=1;t3pref;'

/** Pages, and what each of their scripts holds. */
const pages: readonly (readonly [name: string, page: string, script: string])[] = [
  ['a page that means no harm', named, many('var a=/x/g;function b(c){return c/2}', 105 * 1024)],
  ['brackets', named, telling + many('(')],
  ['conditions', named, telling + many('if(')],
  ['templates', named, telling + many('`${')],
  ['comments', named, telling + many('//\n')],
  ['quotes', named, telling + many(`"'`)],
  ['calls', named, telling + many("gtag('config',a);")],
  ['regular expressions', named, telling + many('=/[')],
  ['elements that do not end', '<b>'.repeat(1_999) + many('</i>'), ''],
  ['lists', '<ul>'.repeat(900) + many('<li>'), ''],
  [
    'attributes',
    `<script ${Array.from({ length: 200_000 }, (_, index) => `a${index}=b`).join(' ')}></script>`,
    '',
  ],
  ['scripts', many("<script>gtag('config','G-ABCDEF1234')</script>"), ''],
]

const visitOf = (page: string, script: string): Visit => ({
  get: (url) =>
    Promise.resolve({
      outcome: 'fetched',
      url,
      status: 200,
      contentType: url === home ? 'text/html' : 'text/javascript',
      text: url === home ? page : script,
      cut: false,
      cookies: [],
    }),
  end: () => Promise.resolve(),
})

/** Of this thread, in milliseconds. */
function used(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

export async function measureBlocks(): Promise<void> {
  let longest = 0
  let last = used()
  let isOn = true
  const watch = () => {
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
    if (isOn) setImmediate(watch)
  }
  watch()
  let harmless = 0
  // The first one is for the compiler.
  for (const [index, [name, page, script]] of [...pages.slice(0, 1), ...pages].entries()) {
    await sleep(50)
    longest = 0
    const began = used()
    const look = () => lookAt({ visit: visitOf(page, script), browser: null }, 'web.test')
    await Promise.all(Array.from({ length: atOnce }, look))
    if (index === 1) harmless = longest
    const ratio = index > 1 ? `, ${(longest / harmless).toFixed(1)} times the harmless one's` : ''
    if (index > 0)
      console.log(`${name}: longest ${longest.toFixed(0)} ms${ratio}; all ${(used() - began).toFixed(0)} ms`)
  }
  isOn = false
}
