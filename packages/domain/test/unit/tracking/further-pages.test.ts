import type { SeenRequest, Stop, VisitedStop } from '@kustos/clients/browser'
import { englishText } from '@kustos/contract/messages/english'
import { describe, expect, test } from 'vitest'
import { summarizeVisit } from '../../../src/tracking/browser-visit.ts'
import { runToEnd } from '../../../src/tracking/cooperative.ts'
import { auditPage } from '../../../src/tracking/index.ts'
import { problemsOfStops } from '../../../src/tracking/visit-stops.ts'
import { formatFinding, home, host, inline, type Responses, visitOf } from './page-fixtures.ts'

const meta = inline("fbq('init','123456789012345');")
const nav = '<a href="/zimmer">Zimmer</a><a href="/kontakt">Kontakt</a>'
const missing = `${home}kustos-audit-page-that-does-not-exist`

async function audit(responses: Responses) {
  const visit = visitOf(responses)
  const { findings, outcome, problems, complete } = await auditPage({ visit, browser: null }, host)
  return { findings: findings.map(formatFinding), outcome, problems, complete, asked: visit.asked }
}

describe('the reading of further pages', () => {
  test('finds what only a contact page, a content page or the page for errors contains', async () => {
    const { findings, outcome, asked } = await audit({
      [home]: nav,
      [`${home}kontakt`]: `<p>${meta}`,
      [`${home}zimmer`]: '<script src="https://cdn.polyfill.io/v3/polyfill.min.js"></script>',
      [missing]: { status: 404, contentType: 'text/html', text: inline("gtag('config','G-ABCDEF1234')") },
    })
    expect({ findings, outcome }).toEqual({
      findings: [
        'googleanalytics G-ABCDEF1234 @www.googletagmanager.com',
        'facebookads 123456789012345 @connect.facebook.net',
        'polyfillio @cdn.polyfill.io',
      ],
      outcome: 'seen',
    })
    expect(asked).toEqual([home, `${home}kontakt`, `${home}zimmer`, missing])
  })

  test('names the page in the evidence, and reads once what all pages contain', async () => {
    const visit = visitOf({
      [home]: `<p>${nav}${meta}`,
      [`${home}kontakt`]: `<p>${meta}${inline("fbq('init','999999999999999')")}`,
    })
    const { findings } = await auditPage({ visit, browser: null }, host)
    expect(findings.map(({ value, evidence }) => [value, evidence.map(({ url }) => url)])).toEqual([
      ['123456789012345', [home]],
      ['999999999999999', [`${home}kontakt`]],
    ])
  })

  test('reports pages that cannot be read, but neither missing ones nor those of other sites', async () => {
    const broken = await audit({ [home]: nav, [`${home}kontakt`]: { status: 503 } })
    expect(broken).toMatchObject({
      outcome: 'partial',
      complete: false,
      problems: [{ code: 'page_unread', params: { url: `${home}kontakt` } }],
    })
    const elsewhere = { url: 'https://www.booking.test/', contentType: 'text/html', text: meta }
    expect(await audit({ [home]: nav, [`${home}kontakt`]: elsewhere })).toMatchObject({
      outcome: 'seen',
      findings: [],
    })
    expect(await audit({ [home]: nav, [missing]: { status: 500 } })).toMatchObject({ outcome: 'seen' })
  })
})

const startStop: Stop = { page: 'start', visitor: 'desktop', path: '/' }
const contactStop: Stop = { page: 'contact', visitor: 'desktop', path: '/kontakt' }

test('a request is shown with the page and visitor that saw it first', () => {
  const request = (url: string, stop?: Stop): SeenRequest => ({
    ...{ url, method: 'GET', resourceType: 'image', phase: 'before', initiator: null, body: null },
    ...(stop && { stop }),
  })
  const pixel = 'https://www.facebook.com/tr/?id=123456789012345'
  const consent = { refused: null, accepted: null, withdrawn: null }
  const requests = [request(home, startStop), request(pixel, contactStop), request(home, contactStop)]
  const stops: VisitedStop[] = [
    { stop: startStop, problem: null },
    { stop: contactStop, problem: { code: 'visit_timed_out' } },
  ]
  const visit = runToEnd(
    summarizeVisit({ requests, consent, stops, stored: [], tcStrings: [], collected: [] }),
  )
  expect(visit.asked.map(({ host, verdict, stop }) => [host, verdict, stop])).toEqual([
    ['www.facebook.com', 'violation', contactStop],
    [host, 'none', startStop],
  ])
  expect(visit.stops).toEqual([
    { ...startStop, problem: null, problem_code: null, problem_params: null },
    {
      ...contactStop,
      problem: 'it was not finished in time',
      problem_code: 'visit_timed_out',
      problem_params: null,
    },
  ])
  // Visits of a former release's browser know no stops.
  expect(
    runToEnd(
      summarizeVisit({ requests: [request(home)], consent, stored: [], tcStrings: [], collected: [] }),
    ),
  ).not.toHaveProperty('stops')
})

test('tells which pages a browser did not see, but not those that do not exist', () => {
  const of = (problem: VisitedStop['problem']) => ({ stop: contactStop, problem })
  const answered = (status: number) => of({ code: 'visit_answered', params: { status } })
  const stops = [of({ code: 'visit_crashed' }), of(null), answered(404), answered(503)]
  expect(problemsOfStops(stops)).toEqual([
    {
      code: 'browser_stop_unread',
      params: { path: '/kontakt', reason: { code: 'visit_answered', params: { status: 503 } } },
    },
  ])
})

test('tells as which other visitor a browser did not see the start page', () => {
  const problem = { code: 'visit_timed_out' } as const
  const stops = (['desktop', 'english_mobile', 'privacy_signals'] as const).map((visitor) => ({
    stop: { ...startStop, visitor },
    problem,
  }))
  expect(problemsOfStops(stops).map(englishText)).toEqual([
    '/ could not be read completely in the browser with a phone, in English: it was not finished in time.',
    '/ could not be read completely in the browser with Do Not Track and Global Privacy Control: it was not finished in time.',
  ])
})
