import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium, type Locator } from 'playwright-core'
import { administrator, withApi } from '../api.ts'
import { median } from '../median.ts'
import { peakMemory } from '../process.ts'

/** Measures the list of webs in Chromium: three visits, the memory of its tab, and what a typed letter and a filter take. */
const webs = Number(process.env.KUSTOS_BENCH_WEBS ?? 100_000)
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
]
const root = fileURLToPath(new URL('../../', import.meta.url))

spawnSync('pnpm', ['--filter', '@kustos/web', 'build'], { cwd: root, stdio: 'inherit' })
await withApi(webs, async ({ origin }) => {
  const profile = await mkdtemp(join(tmpdir(), 'kustos-bench-browser-'))
  const options = { executablePath: '/usr/bin/chromium', args: flags, viewport: { width: 1440, height: 900 } }
  const browser = await chromium.launchPersistentContext(profile, options)
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(120_000)
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
    const field = page.getByRole('searchbox', { name: 'Search all visible columns' })
    const letters: number[] = []
    for (const text of ['a', 'ar', 'arc', '', 'h', 'ho', 'hot', 'hote', ''])
      letters.push(await untilCountChanges(field, text))
    console.log(`a letter in the search, until the number of rows has changed: ${summary(letters)}`)
    await page.getByRole('button', { name: 'Filter Status' }).click()
    const option = page.getByRole('dialog').getByRole('checkbox').first()
    await option.waitFor()
    const filters: number[] = []
    for (let click = 0; click < 6; click++) filters.push(await untilCountChanges(option, null))
    console.log(`a filter, until the number of rows has changed: ${summary(filters)}`)
    console.log(`peak memory of the tab: ${Math.round(await peakOfLargestRenderer())} MiB`)
  } finally {
    await browser.close()
    await rm(profile, { recursive: true, force: true })
  }
})

const summary = (times: readonly number[]) =>
  `median ${Math.round(median([...times]))} ms, ${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms`

/** Types a text, or clicks, and waits for the frame that shows another number of rows. @returns milliseconds */
const untilCountChanges = (target: Locator, text: string | null): Promise<number> =>
  target.evaluate(
    (element, typed) =>
      new Promise<number>((resolve) => {
        const count = () => [...document.querySelectorAll('main [aria-live=polite]')].at(-1)?.textContent
        const before = count()
        const startedAt = performance.now()
        if (typed !== null && element instanceof HTMLInputElement) {
          // React ignores a value that is set without its own setter.
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, typed)
          element.dispatchEvent(new Event('input', { bubbles: true }))
        } else if (element instanceof HTMLElement) element.click()
        const check = () => {
          if (count() === before) requestAnimationFrame(check)
          else requestAnimationFrame(() => resolve(performance.now() - startedAt))
        }
        requestAnimationFrame(check)
      }),
    text,
  )

async function peakOfLargestRenderer(): Promise<number> {
  const peaks: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('--type=renderer')) peaks.push(await peakMemory(Number(name)).catch(() => 0))
  }
  return Math.max(...peaks)
}
