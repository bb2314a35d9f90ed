import { expect, test } from 'vitest'
import { openHangingBrowser } from './hanging-browser.ts'

test('a document is printed while visits take all the time that they have', async () => {
  const { browser, state } = openHangingBrowser()
  const visits = [1, 2].map(() => browser.visit('http://hotel.test/', { deadlineMs: 60_000 }))
  expect(await browser.print('<p>Report</p>')).toEqual({ outcome: 'printed', pdf: Buffer.from('%PDF-') })
  expect(state).toEqual({ processes: 1, ended: 0, printed: 1 })
  await browser.close()
  for (const visited of await Promise.all(visits))
    expect(visited).toEqual({ outcome: 'failed', reason: { code: 'stopped' } })
})

test('a document that is stopped does not end the process of others', async () => {
  const { browser, state, page } = openHangingBrowser()
  const stop = new AbortController()
  page.pdf = () => {
    stop.abort()
    return new Promise(() => undefined)
  }
  const printed = await browser.print('<p>Report</p>', stop.signal)
  expect(printed).toEqual({ outcome: 'failed', reason: { code: 'stopped' } })
  page.pdf = async () => Buffer.from('%PDF-')
  expect(await browser.print('<p>Report</p>')).toMatchObject({ outcome: 'printed' })
  expect(state).toMatchObject({ processes: 1, ended: 0 })
})

test('a document is printed again if the process has ended meanwhile, which a visited page can cause', async () => {
  const { browser, state, page, process } = openHangingBrowser()
  const { pdf } = page
  page.pdf = () => {
    process.isConnected = () => false
    page.pdf = pdf
    return Promise.reject(new Error('page.pdf: Target page, context or browser has been closed'))
  }
  expect(await browser.print('<p>Report</p>')).toMatchObject({ outcome: 'printed' })
  expect(state).toMatchObject({ processes: 2, printed: 1 })
})
