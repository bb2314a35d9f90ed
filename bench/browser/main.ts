import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { buildFrontend } from '../../apps/sandbox/src/build-frontend.ts'
import { administrator, withApi } from '../api.ts'
import { median } from '../median.ts'
import { peakMemory } from '../process.ts'

/**
 * Measures the list of webs in Chromium: three visits, from the address to the first row; searches and filters, from the
 * key or click until the rows that pass are painted; and the memory of its tab.
 */
const webs = Number(process.env.KUSTOS_BENCH_WEBS ?? 100_000)
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
]

await buildFrontend(join(tmpdir(), 'kustos-bench-build.log'), AbortSignal.timeout(600_000))
await withApi(webs, async ({ origin }) => {
  const profile = await mkdtemp(join(tmpdir(), 'kustos-bench-browser-'))
  const options = { executablePath: '/usr/bin/chromium', args: flags, viewport: { width: 1440, height: 900 } }
  const browser = await chromium.launchPersistentContext(profile, options)
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(origin)
    await page.getByLabel('E-Mail').fill(administrator.email)
    await page.getByLabel('Password', { exact: true }).fill(administrator.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByRole('button', { name: /^User menu/ }).waitFor()
    const visits: number[] = []
    for (let visit = 0; visit < 3; visit++) {
      await page.goto('about:blank')
      const startedAt = performance.now()
      await page.goto(`${origin}/hosting`)
      await page.getByRole('grid').getByRole('rowheader').first().waitFor()
      visits.push(performance.now() - startedAt)
      await sleep(5_000)
    }
    console.log(`${webs} webs: visits ${visits.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s`)
    await measureFilters(page)
    console.log(`peak memory of the tab: ${Math.round(await peakOfLargestRenderer())} MiB`)
  } finally {
    await browser.close()
    await rm(profile, { recursive: true, force: true })
  }
})

async function measureFilters(page: Page): Promise<void> {
  await page.evaluate(watchFilters)
  const search = page.getByRole('searchbox')
  for (const words of ['shop', 'Kunde 1', 'hotel-1']) {
    for (const key of words) {
      await search.press(key)
      await sleep(700)
    }
    await search.press('Escape')
    await sleep(1_500)
  }
  await report('search, a key')
  for (const column of ['Customer', 'Node', 'Categories']) {
    await page.getByRole('button', { name: `Filter ${column}` }).click()
    const filter = page.getByRole('dialog')
    const choices = filter.getByRole('checkbox')
    if (column === 'Customer')
      for (const key of 'mus') {
        await filter.getByRole('textbox', { name: 'Value' }).press(key)
        await sleep(700)
      }
    else
      for (const index of [0, 1, 2]) {
        await choices.nth(index).click()
        await sleep(700)
      }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Reset filter' }).click()
    await sleep(1_500)
  }
  await report('filter, a key or click')

  async function report(name: string) {
    const times = await page.evaluate(() => window.filterTimes.splice(0))
    const sorted = times.toSorted((a, b) => a - b)
    console.log(`${name}: median ${Math.round(median(times))}, ${sorted.map(Math.round).join(' ')} ms`)
  }
}

declare global {
  interface Window {
    filterTimes: number[]
  }
}

/** Runs in the page: keeps the time from each key or click until the changed number of rows is painted. */
function watchFilters() {
  window.filterTimes = []
  let startedAt: number | undefined
  for (const type of ['keydown', 'click'])
    document.addEventListener(type, (event) => (startedAt = event.timeStamp), { capture: true })
  new MutationObserver(() => {
    const from = startedAt
    startedAt = undefined
    if (from !== undefined)
      requestAnimationFrame(() => setTimeout(() => window.filterTimes.push(performance.now() - from)))
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['aria-rowcount'] })
}

async function peakOfLargestRenderer(): Promise<number> {
  const peaks: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('--type=renderer')) peaks.push(await peakMemory(Number(name)).catch(() => 0))
  }
  return Math.max(...peaks)
}
