import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { administrator, withApi } from '../api.ts'
import { peakMemory } from '../process.ts'

/** Measures the list of webs in Chromium: three visits, from the address to the first row, and the memory of its tab. */
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
    console.log(`peak memory of the tab: ${Math.round(await peakOfLargestRenderer())} MiB`)
  } finally {
    await browser.close()
    await rm(profile, { recursive: true, force: true })
  }
})

async function peakOfLargestRenderer(): Promise<number> {
  const peaks: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('--type=renderer')) peaks.push(await peakMemory(Number(name)).catch(() => 0))
  }
  return Math.max(...peaks)
}
