import { setTimeout as sleep } from 'node:timers/promises'
import type { Visit } from '@kustos/clients/page'
import { auditPage } from '@kustos/domain/tracking'

/**
 * Measures how long audits of hostile pages block a worker's event loop, four audits at a time, against a harmless page.
 * In processor time, so that other load on the machine does not count; garbage collection does.
 */
const concurrency = 4
const MiB = 1024 * 1024
const home = 'https://web.test/'
const repeat = (part: string, size = 2 * MiB) => part.repeat(Math.floor(size / part.length))

const scripts = Array.from({ length: 30 }, (_, index) => `/script-${index}.js`)
const scriptTags = scripts.map((path) => `<script src="${path}"></script>`).join('')
const trackerCalls = 'gtag fbq _paq uetq=1;t3pref;'

/** Pages, and the content of each of their scripts. */
const pages: readonly (readonly [name: string, page: string, script: string])[] = [
  ['a harmless page', scriptTags, repeat('var a=/x/g;function b(c){return c/2}', 105 * 1024)],
  ['brackets', scriptTags, trackerCalls + repeat('(')],
  ['conditions', scriptTags, trackerCalls + repeat('if(')],
  ['templates', scriptTags, trackerCalls + repeat('`${')],
  ['comments', scriptTags, trackerCalls + repeat('//\n')],
  ['quotes', scriptTags, trackerCalls + repeat(`"'`)],
  ['calls', scriptTags, trackerCalls + repeat("gtag('config',a);")],
  ['regular expressions', scriptTags, trackerCalls + repeat('=/[')],
  ['unclosed elements', '<b>'.repeat(1_999) + repeat('</i>'), ''],
  ['lists', '<ul>'.repeat(900) + repeat('<li>'), ''],
  [
    'attributes',
    `<script ${Array.from({ length: 200_000 }, (_, index) => `a${index}=b`).join(' ')}></script>`,
    '',
  ],
  ['scripts', repeat("<script>gtag('config','G-ABCDEF1234')</script>"), ''],
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

/** The processor time of this thread. */
function usedCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

export async function measureEventLoopBlocking(): Promise<void> {
  let longest = 0
  let last = usedCpuMs()
  let isWatching = true
  const watch = () => {
    const now = usedCpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (isWatching) setImmediate(watch)
  }
  watch()
  let harmless = 0
  // The first page runs twice: once to warm up.
  for (const [index, [name, page, script]] of [...pages.slice(0, 1), ...pages].entries()) {
    await sleep(50)
    longest = 0
    const startedAt = usedCpuMs()
    const audit = () => auditPage({ visit: visitOf(page, script), browser: null }, 'web.test')
    await Promise.all(Array.from({ length: concurrency }, audit))
    if (index === 1) harmless = longest
    const ratio = index > 1 ? `, ${(longest / harmless).toFixed(1)} times the harmless page` : ''
    if (index > 0)
      console.log(
        `${name}: longest ${longest.toFixed(0)} ms${ratio}; all ${(usedCpuMs() - startedAt).toFixed(0)} ms`,
      )
  }
  isWatching = false
}
