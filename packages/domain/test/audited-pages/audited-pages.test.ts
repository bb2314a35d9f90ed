import { isDeepStrictEqual } from 'node:util'
import { type Browser, installedBrowser, openBrowser } from '@kustos/clients/browser'
import { openPageFetcher, type PageFetcher } from '@kustos/clients/page'
import { englishText } from '@kustos/contract/messages/english'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditPage } from '../../src/tracking/audit-page.ts'
import type { AuditedPage, AuditedPages } from './audited-page.ts'
import { lyingPages, obeyingPages } from './banner-pages.ts'
import { accuses, describeAudit } from './describe-audit.ts'
import { innocentPages } from './innocent-pages.ts'
import { type AuditedSites, startAuditedSites } from './sites.ts'
import { trackingPages } from './tracking-pages.ts'

const guilty: AuditedPages = { ...trackingPages, ...lyingPages }
const innocent: AuditedPages = { ...obeyingPages, ...innocentPages }
const pages = { ...guilty, ...innocent }

/** As many as vitest runs tests of a file at once. */
const atOnce = 5

const executable = await installedBrowser(process.env)

describe.skipIf(executable === null)('audits of pages (skipped without a Chromium)', () => {
  let sites: AuditedSites
  let fetcher: PageFetcher
  let browser: Browser
  const said = new Map<string, readonly string[]>()

  beforeAll(async () => {
    sites = await startAuditedSites(Object.values(pages))
    fetcher = openPageFetcher(sites.reach)
    // These pages are our own.
    browser = openBrowser({ ...sites.reach, executable: executable ?? '', atOnce, sandbox: 'optional' })
  })
  afterAll(async () => {
    await browser.close()
    fetcher.close()
    await sites.stop()
  })

  async function audit(page: AuditedPage): Promise<readonly string[]> {
    const visit = fetcher.visit()
    const { dns, hosts } = sites
    const result = await auditPage({ visit, browser, dns }, hosts.get(page) ?? '')
    await visit.end()
    return [...describeAudit(result), ...result.problems.map((problem) => `problem: ${englishText(problem)}`)]
  }

  test.concurrent.each(Object.entries(pages))('%s', { timeout: 300_000 }, async (name, page) => {
    const sentences = await audit(page)
    said.set(name, sentences)
    expect(sentences).toEqual([...page.expected].sort())
  })

  test('are 120, half of them innocent; at least 118 are named rightly, and no innocent one is accused', () => {
    expect([Object.keys(guilty).length, Object.keys(innocent).length]).toEqual([60, 60])
    const wrong = Object.entries(pages).filter(
      ([name, { expected }]) => !isDeepStrictEqual(said.get(name), [...expected].sort()),
    )
    expect(wrong.length, wrong.map(([name]) => name).join('; ')).toBeLessThanOrEqual(2)
    expect(Object.keys(innocent).filter((name) => said.get(name)?.some(accuses))).toEqual([])
  })
})
