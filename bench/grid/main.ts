import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build, preview } from 'vite'
import { median } from '../median.ts'
import { type Step, steps } from './steps.ts'

// Measures filter, search, sort, page and column toggle in our grid and AG Grid Community: the same 10,000 rows, both built
// for production, alternating in one headless Chromium. Prints medians and ratios.

const { values: options } = parseArgs({
  options: { repetitions: { type: 'string', default: '11' }, browser: { type: 'string' } },
  allowPositionals: true,
})
const repetitions = Number(options.repetitions)
const grids = ['ours', 'ag'] as const
const root = fileURLToPath(new URL('pages', import.meta.url))

async function buildPages(outDir: string) {
  await build({
    root,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'esnext',
      chunkSizeWarningLimit: 4000,
      rolldownOptions: { input: grids.map((grid) => join(root, `${grid}.html`)) },
    },
  })
}

/** Without a frame rate limit: at 60 frames a second every figure would be a multiple of 17 ms. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-frame-rate-limit',
  '--run-all-compositor-stages-before-draw',
]

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.on('pageerror', (error) => console.error(error))
  page.setDefaultTimeout(30_000)
  await page.goto(url)
  await page.waitForFunction(() => window.measure !== undefined)
  return page
}

const stepTimeoutMs = 60_000

/** @returns milliseconds */
function measure(page: Page, step: Step): Promise<number> {
  return page.evaluate(
    ({ name, timeoutMs }) =>
      new Promise<number>((resolve, reject) => {
        setTimeout(() => reject(new Error(`${name} had no effect`)), timeoutMs)
        if (window.measure) window.measure(name).then(resolve, reject)
        else reject(new Error('The page has no window.measure'))
      }),
    { name: step, timeoutMs: stepTimeoutMs },
  )
}

const outDir = await mkdtemp(join(tmpdir(), 'kustos-bench-grid-'))
try {
  await buildPages(outDir)
  const server = await preview({
    root,
    logLevel: 'warn',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  })
  const address = server.resolvedUrls?.local[0]
  if (address === undefined) throw new Error('The preview server has no URL')
  const browser = await chromium.launch({
    executablePath: options.browser ?? '/usr/bin/chromium',
    args: flags,
  })
  try {
    const pages = {
      ours: await openPage(browser, `${address}ours.html`),
      ag: await openPage(browser, `${address}ag.html`),
    }
    const rows = []
    for (const step of steps) {
      const durations: Record<(typeof grids)[number], number[]> = { ours: [], ag: [] }
      for (let round = 0; round < repetitions + 2; round++) {
        for (const grid of grids) {
          await pages[grid].bringToFront()
          const milliseconds = await measure(pages[grid], step)
          // The first two rounds warm up.
          if (round >= 2) durations[grid].push(milliseconds)
        }
      }
      const [ours, ag] = [median(durations.ours), median(durations.ag)]
      rows.push({
        step,
        'ours ms': ours.toFixed(1),
        'AG Grid ms': ag.toFixed(1),
        'ours / AG Grid': (ours / ag).toFixed(2),
      })
    }
    console.log(`10,000 rows × 20 columns, 50 a page, ${repetitions} repetitions: median to the second frame`)
    console.table(rows)
  } finally {
    await browser.close()
    await server.close()
  }
} finally {
  await rm(outDir, { recursive: true, force: true })
}
