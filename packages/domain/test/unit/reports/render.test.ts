import { message } from '@kustos/contract/messages'
import type { ReportLanguage } from '@kustos/contract/reports'
import type { TrackingVisit } from '@kustos/contract/tracking'
import { Parser } from 'htmlparser2'
import { describe, expect, it, test } from 'vitest'
import { storedProblems } from '../../../src/platform/stored-message.ts'
import { canonicalJson, type FullRecord, sha256 } from '../../../src/reports/record.ts'
import { formatLifetime } from '../../../src/reports/render/format.ts'
import { renderReport } from '../../../src/reports/render/report.ts'
import { auditOf, findingOf, png, requested, visitOf } from '../../reports/evidence.ts'

type Audit = ReturnType<typeof auditOf>

const recordOf = (audit: Audit, more: Partial<FullRecord> = {}): FullRecord => ({
  kustos_record: 1,
  web: { id: 1, fqdn: 'hotel.test', customer: 'ALPEN' },
  number: 3,
  previous: 'f'.repeat(64),
  recorded_at: '2026-11-20T10:00:00.000Z',
  inspection: 7,
  requested: true,
  software: { name: 'Kustos', revision: 'abc123', browser: '140.0.1' },
  audit: { ...audit, ...storedProblems(audit.problems) },
  ...more,
})

function render(record: FullRecord, language: ReportLanguage = 'en', images = new Map([[sha256(png), png]])) {
  const content = canonicalJson(record)
  const stored = { record, content, hash: sha256(content) }
  return renderReport({ own: stored, evidence: stored, images }, language, 'k'.repeat(16))
}
const renderVisit = (visit: TrackingVisit | null, language: ReportLanguage = 'en') =>
  render(recordOf(auditOf(visit)), language)

/** The elements of a document, and the text in its body. */
function parse(document: string) {
  const elements: { name: string; attributes: Record<string, string> }[] = []
  let text = ''
  let isStyle = false
  const parser = new Parser({
    onopentag(name, attributes) {
      elements.push({ name, attributes })
      isStyle = name === 'style'
      text += ' '
    },
    onclosetag: () => {
      isStyle = false
    },
    ontext: (piece) => {
      if (!isStyle) text += piece
    },
  })
  parser.end(document)
  return { elements, text: text.replaceAll(/\s+/g, ' ') }
}

it.each([
  [
    'en',
    'Contact page /kontakt, at a desktop, in German (not opened, or not completely: it crashed)',
    'Then it was withdrawn by',
  ],
  [
    'de',
    'Kontaktseite /kontakt, am Computer, auf Deutsch (nicht oder nicht vollständig geöffnet: sie stürzte ab)',
    'Danach wurde die Einwilligung widerrufen',
  ],
] as const)(
  'names the pages and visitors, and where a request was seen first, in %s',
  async (language, contact, withdrawn) => {
    const stop = { page: 'contact', visitor: 'desktop', path: '/kontakt' } as const
    const problem = { problem: 'it crashed', problem_code: 'visit_crashed', problem_params: null }
    const visit = visitOf({
      asked: [requested({ stop })],
      withdrawn: { manager: 'Klaro', way: 'call' },
      stops: [{ ...stop, ...problem }],
    })
    const { text } = parse(await renderVisit(visit, language))
    expect(text).toContain(contact)
    expect(text).toContain(withdrawn)
    expect(text.split('/kontakt')).toHaveLength(3)
  },
)

it('does not doubt that the start page was opened, whatever of it is missing', () => {
  const problem = { problem: null, problem_code: 'visit_not_withdrawn', problem_params: null }
  const start = { page: 'start', visitor: 'desktop', path: '/', ...problem, problem: 'no time' } as const
  const { text } = parse(renderVisit(visitOf({ stops: [start] })))
  expect(text).toContain(
    'Start page /, at a desktop, in German (not completely: no time was left to withdraw consent)',
  )
})

describe('the verdict', () => {
  const storedItem = {
    phase: 'before',
    kind: 'cookie',
    host: '.hotel.test',
    lifetime: null,
    set_by: null,
  } as const
  const meta = requested({ topic: 'facebookads', host: 'connect.facebook.net' })
  it.each<[string, TrackingVisit | null, string[]]>([
    [
      'counts services, not hosts',
      visitOf({ asked: [requested(), requested({ host: 'region1.google-analytics.com' }), meta] }),
      [
        'Before consent, 2 services that need consent were loaded: Google Analytics (www.google-analytics.com and region1.google-analytics.com), Meta (Facebook) Ads (connect.facebook.net).',
        'After consent was refused, no known service that needs consent was loaded.',
        'Withdrawing consent was not tested.',
      ],
    ],
    [
      'speaks of each phase',
      visitOf({
        asked: [
          { ...meta, phase: 'refused' },
          { ...meta, phase: 'withdrawn' },
        ],
      }),
      [
        'Before consent, no known service that needs consent was loaded.',
        'After consent was refused, 1 service that needs consent was loaded: Meta (Facebook) Ads (connect.facebook.net).',
        'After consent was withdrawn, 1 service that needs consent was loaded:',
      ],
    ],
    [
      'does not claim what was not tested',
      visitOf({ asked: [], refused: null }),
      ['Refusing consent could not be tested: no way to refuse was found.'],
    ],
    [
      'does not call impossible what was not tried',
      visitOf({ asked: [], refused: null, accepted: null, collected: ['before'], tried: [] }),
      [
        'Refusing consent was not tested. Withdrawing',
        'Refusing consent was not tested. Giving consent was not',
      ],
    ],
    [
      'calls impossible what was tried',
      visitOf({ asked: [], refused: null, accepted: null, tried: ['refused', 'accepted'] }),
      [
        'Refusing consent could not be tested: no way to refuse was found.',
        'No way to refuse consent was found. No way to give consent was found.',
      ],
    ],
    [
      'does not call a withdrawal impossible for which no time was left, or of which an older release did not say so',
      visitOf({ asked: [], withdrawn: null, tried: ['refused', 'accepted'] }),
      ['consent was given by a button of a consent banner. Withdrawing consent was not tested.'],
    ],
    [
      'calls a withdrawal impossible that was tried',
      visitOf({ asked: [], withdrawn: null, tried: ['refused', 'accepted', 'withdrawn'] }),
      ['consent was given by a button of a consent banner. No way to withdraw it was found.'],
    ],
    [
      'does not clear the page before consent if it was not seen to its end',
      visitOf({ asked: [{ ...meta, verdict: 'none' }], stored: [], refused: null, collected: [], tried: [] }),
      ['Before consent, the page could not be observed completely. Refusing consent was not tested.'],
    ],
    [
      'does not clear the page before consent if nothing of it was seen',
      visitOf({ asked: [], stored: [], refused: null, collected: [], tried: [] }),
      ['The page before consent could not be tested. Refusing consent was not tested.'],
    ],
    [
      'does not clear phases that were not seen to their end',
      visitOf({ asked: [], withdrawn: { manager: null, way: 'button' }, collected: ['before', 'accepted'] }),
      [
        'After consent was refused, the page could not be observed completely.',
        'After consent was withdrawn, the page could not be observed completely.',
        'Then it was withdrawn by a button of a consent banner.',
      ],
    ],
    [
      'names the host of an unknown service, or its company',
      visitOf({
        asked: [
          { ...meta, topic: null },
          { ...meta, topic: null, host: 'x.test', entity: 'Hotjar' } as never,
        ],
      }),
      ['2 services that need consent were loaded: connect.facebook.net, Hotjar (x.test).'],
    ],
    [
      'names services that were loaded although they were told that consent is denied',
      visitOf({
        asked: [
          requested({ verdict: 'denied' }),
          { ...meta, phase: 'refused' },
          requested({ phase: 'refused', verdict: 'denied' }),
          requested({ phase: 'withdrawn', verdict: 'denied' }),
          requested({ phase: 'withdrawn', host: 'region1.google-analytics.com' }),
        ],
        withdrawn: { manager: null, way: 'button' },
      }),
      [
        'Before consent, 1 service that needs consent was loaded and told that consent is denied: Google Analytics (www.google-analytics.com). Before consent, no other known service that needs consent was loaded.',
        'After consent was refused, 1 service that needs consent was loaded and told that consent is denied: Google Analytics (www.google-analytics.com). After consent was refused, 1 service that needs consent was loaded: Meta',
        // What it was not told with each request is not said in its favour.
        'After consent was refused, 1 service that needs consent was loaded: Meta (Facebook) Ads (connect.facebook.net). After consent was withdrawn, 1 service that needs consent was loaded: Google Analytics (region1.google-analytics.com).',
      ],
    ],
    [
      'names what trackers have stored without consent',
      visitOf({
        asked: [],
        stored: [
          { ...storedItem, name: '_fbp', topic: 'facebookads', entity: 'Facebook Ads', verdict: 'violation' },
          { ...storedItem, name: '_fbc', topic: 'facebookads', entity: 'Facebook Ads', verdict: 'violation' },
          { ...storedItem, name: '_ga', topic: 'googleanalytics', phase: 'withdrawn', verdict: 'review' },
        ],
      }),
      [
        'Before consent, no known service that needs consent was loaded.',
        'Before consent, data of 1 service that needs consent was stored: Meta (Facebook) Ads (_fbp and _fbc).',
        '_fbp Meta (Facebook) Ads without consent',
        '_ga Google Analytics to be reviewed',
      ],
    ],
    [
      'names what is to be reviewed',
      visitOf({
        asked: [
          requested({ topic: null, host: 'fonts.gstatic.com', entity: 'Google Fonts', verdict: 'review' }),
          requested({ topic: null, host: 'w.test', verdict: 'review' }),
        ],
        stored: [
          { ...storedItem, name: '_ga', topic: 'googleanalytics', phase: 'withdrawn', verdict: 'review' },
        ],
      }),
      [
        'Before consent, 2 services were observed of which it remains to be reviewed whether they need consent: Google Fonts (fonts.gstatic.com), w.test.',
        'After consent was withdrawn, data of 1 service that had been stored with consent was still there: Google Analytics (_ga).',
      ],
    ],
    ['says that no browser was used', null, ['The page was read, but not opened in a browser.']],
  ])('%s', async (_, visit, sentences) => {
    const { text } = parse(await renderVisit(visit))
    for (const sentence of sentences) expect(text).toContain(sentence)
  })

  it('is in German', async () => {
    const problems = [
      message('script_unread', { url: 'https://x.test/a.js', reason: message('no_time_left') }),
    ]
    const record = recordOf({
      ...auditOf(visitOf({ asked: [requested(), meta] })),
      outcome: 'partial',
      problems,
    })
    const document = await render(record, 'de')
    const { text, elements } = parse(document)
    expect(elements.find(({ name }) => name === 'html')?.attributes.lang).toBe('de')
    expect(text).toContain(
      'Vor der Einwilligung wurden 2 einwilligungspflichtige Dienste geladen: Google Analytics',
    )
    expect(text).toContain('Das Skript https://x.test/a.js war nicht lesbar: es blieb keine Zeit.')
    expect(text).toContain('20. November 2026')
    expect(text).not.toMatch(/\b(consent was|requests|unknown)\b/)
  })

  it('is good only if the audit is complete and nothing is to be reviewed', async () => {
    const tone = async (visit: TrackingVisit, outcome: Audit['outcome'] = 'seen') =>
      /class="verdict (\w*)"/.exec(await render(recordOf({ ...auditOf(visit), outcome })))?.[1]
    const clean = visitOf({ asked: [], stored: [] })
    expect(await tone(clean)).toBe('good')
    expect(await tone(clean, 'partial')).toBe('')
    expect(await tone({ ...clean, asked: [requested({ verdict: 'review' })] })).toBe('')
    // The page was not opened again after the refusal.
    expect(await tone({ ...clean, collected: ['before', 'accepted'] })).toBe('')
    expect(await tone({ ...clean, collected: ['before', 'refused'] })).toBe('good')
    expect(await tone({ ...clean, stored: [{ ...storedItem, name: '_ga', verdict: 'violation' }] })).toBe(
      'bad',
    )
  })

  it('says nothing about a website that could not be opened', async () => {
    const software = { name: 'Kustos', revision: 'abc123', browser: null } as const
    const failed = recordOf({ ...auditOf(null), outcome: 'failed', findings: [] }, { software })
    const { text } = parse(await render(failed))
    expect(text).toContain('The website could not be audited, so nothing can be said about it.')
    expect(text).not.toContain('no known service')
    expect(text).toContain('Browser none; the page could not be read')
    expect(text).not.toMatch(/What was visited|was visited without cookies|were read/)
  })
})

it('reads records of releases that knew less, and keeps what those of later ones call differently', async () => {
  const { stored: _, signals: __, tcf: ___, ...old } = visitOf()
  expect(parse(await renderVisit(old)).text).toContain('What the page stored was not recorded.')
  const newer = visitOf({ asked: [requested({ topic: 'hotjar' as never })] })
  expect(parse(await renderVisit(newer)).text).toContain('1 service that needs consent was loaded: hotjar')
})

test.each([
  [30.4375 * 30 * 86_400, '913 days'],
  [2 * 365 * 86_400, '2 years'],
  [395 * 86_400, '395 days'],
  [60 * 3_600, '60 hours'],
  [47.99 * 3_600, '48 hours'],
  [90 * 60, '90 minutes'],
  [1, '1 second'],
])('says a lifetime of %s seconds without rounding it much', (seconds, expected) => {
  expect(formatLifetime(seconds, 'en')).toBe(expected)
})

it('says when the audit began, and to which other website the start page has led', async () => {
  const record = recordOf(auditOf(), { started_at: '2026-11-20T09:58:00.000Z' })
  const led = parse(await render({ ...record, audit: { ...record.audit, leads_to: 'https://b.test/de' } }))
  expect(led.text).toContain('Audit began at 20 November 2026 at 10:58:00 (2026-11-20T09:58:00.000Z)')
  expect(led.text).toContain('It led to another website, which this report is about: https://b.test/de.')
  const { text } = parse(await render(recordOf(auditOf())))
  expect(text).not.toMatch(/Audit began|another website/)
})

it('does not call a record the first one that may only be the oldest of those that are kept', async () => {
  const { text } = parse(await render(recordOf(auditOf(), { number: 1, previous: null })))
  expect(text).toContain('SHA-256 of the record before it none; no earlier record of the website is kept')
})

it('describes what is done with a browser only if one was used', async () => {
  const opens = 'Kustos opens the website as a new visitor would, in a browser'
  expect(parse(await renderVisit(visitOf())).text).toContain(opens)
  expect(parse(await renderVisit(null)).text).not.toContain(opens)
})

it('does not call a phase empty that was not seen to its end', async () => {
  const empty = { asked: [], stored: [], signals: [] }
  const claims = /No requests\.|Nothing was stored/
  const { text } = parse(await renderVisit(visitOf({ ...empty, collected: [] })))
  expect(text).not.toMatch(claims)
  expect(text).toContain('No requests were seen, but the page could not be observed completely.')
  expect(text).toContain('Nothing was seen that had not been stored before, but not all of it could be read.')
  expect(parse(await renderVisit(visitOf({ ...empty, collected: ['before'] }))).text).toMatch(claims)
})

it("names the website's own hosts also if its name is not ASCII", async () => {
  const asked = ['www.xn--mller-kva.test', 'img.xn--mller-kva.test', 'other.test'].map((host) =>
    requested({ topic: null, ids: [], verdict: 'none', host }),
  )
  const web = { id: 1, fqdn: 'www.müller.test', customer: 'ALPEN' }
  const { text } = parse(await render(recordOf(auditOf(visitOf({ asked })), { web })))
  expect(text).toMatch(/ other\.test – 2 .* www\.xn--mller-kva\.test the website itself 2 /)
  expect(text).toContain('img.xn--mller-kva.test the website itself')
})

it('shows storage, signals, consent strings, screenshots and hashes', async () => {
  const visit = visitOf({
    tcf: [
      {
        phase: 'accepted',
        tc_string: 'CPabc',
        cmp_id: 5,
        cmp_version: 2,
        purposes: [1, 7],
        legitimate_interests: [],
        vendors: 812,
      },
    ],
    screenshots: [
      { phase: 'accepted', sha256: sha256(png), bytes: png.length },
      { phase: 'refused', sha256: 'e'.repeat(64), bytes: 1 },
    ],
  })
  const { text, elements } = parse(await renderVisit(visit))
  expect(text).toMatch(/Cookie _ga Google Analytics to be reviewed \.hotel\.test 400 days/)
  expect(text).toMatch(/www\.google-analytics\.com gcs G111/)
  expect(text).toMatch(/Vendors with consent 812/)
  expect(text).toContain(`SHA-256 of the record before it ${'f'.repeat(64)}`)
  expect(text).toContain('The screenshot cannot be shown.')
  expect(elements.filter(({ name }) => name === 'img').map(({ attributes }) => attributes.src)).toEqual([
    `data:image/png;base64,${png.toString('base64')}`,
  ])
})

it.each([
  ['en', 'Hotjar (session replay) alias of hotel.hotjar.test'],
  ['de', 'Hotjar (Sitzungsaufzeichnung) Alias von hotel.hotjar.test'],
] as const)(
  'says what a service is for and which name is behind its host, in %s',
  async (language, expected) => {
    const host = requested({
      topic: null,
      host: 'x7k.hotel.test',
      entity: 'Hotjar',
      category: 'session_replay',
      alias: 'hotel.hotjar.test',
      ids: [],
    })
    expect(parse(await renderVisit(visitOf({ asked: [host] }), language)).text).toContain(expected)
  },
)

describe('what a website has chosen', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '</style></title></code></td></table><img src=x onerror=alert(1)>',
    '" onmouseover="alert(1)" x="',
    "' onload='alert(1)",
    '`onload=alert(1)',
    '--><script>alert(1)</script><!--',
    '<![CDATA[<b>]]>&lt;b&gt;&#60;script&#62;',
    'javascript:alert(1)',
    '\u202eevil\u2066\u200f\u0000\u0007\ud800\u2028',
    'שלום עולם',
    'x'.repeat(2_000_000),
    '<'.repeat(100_000),
  ]
  const allowed = new Set(
    'html head meta title style body header section h1 h2 h3 p dl dt dd ul li table thead tbody tr th td code bdi span br div figure figcaption'.split(
      ' ',
    ),
  )
  const attributes = new Set(
    'lang dir charset http-equiv content name class scope width data-label'.split(' '),
  )

  it.each(hostile.map((text) => [text.slice(0, 40).toWellFormed(), text] as const))(
    'is harmless: %s',
    async (_, text) => {
      const visit: TrackingVisit = {
        refused: { manager: text, way: 'call' },
        accepted: { manager: text, way: 'button' },
        asked: [requested({ host: text, url: text, initiator: text, ids: [text], kind: text, method: text })],
        stored: [{ phase: 'before', kind: 'cookie', name: text, host: text, lifetime: null, set_by: text }],
        signals: [{ phase: 'before', host: text, signal: 'gcs', value: text }],
        tcf: [
          {
            phase: 'before',
            tc_string: text,
            cmp_id: 1,
            cmp_version: 1,
            purposes: [],
            legitimate_interests: [],
            vendors: 0,
          },
        ],
        screenshots: [{ phase: 'before', sha256: text, bytes: 1 }],
      }
      const audit = { ...auditOf(visit), findings: [findingOf({ value: text, domain: text })] }
      const stored = {
        ...recordOf(audit),
        web: { id: 1, fqdn: text.slice(0, 1_000), customer: text.slice(0, 1_000) },
      }
      const problems = { problems: [text], problem_codes: [] }
      const document = await render(
        { ...stored, audit: { ...stored.audit, ...problems } },
        'en',
        new Map([[text, Buffer.from(text)]]),
      )
      const { elements } = parse(document)
      expect(elements.filter(({ name }) => !allowed.has(name))).toEqual([])
      expect(
        elements
          .flatMap((element) => Object.keys(element.attributes))
          .filter((name) => !attributes.has(name)),
      ).toEqual([])
      expect(elements.filter(({ name }) => name === 'style')).toHaveLength(1)
      expect(document).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}|\p{Zl}|\p{Zp}/u)
      expect(document.isWellFormed()).toBe(true)
      expect(document.length).toBeLessThan(100_000)
    },
  )

  it('shows characters that would reverse the text', async () => {
    const { text } = parse(
      await renderVisit(visitOf({ asked: [requested({ url: 'https://a.test/\u202egpj' })] })),
    )
    expect(text).toContain('https://a.test/[U+202E]gpj')
  })

  it('cannot load or run anything, since the document itself forbids it', async () => {
    const { elements } = parse(await renderVisit(visitOf()))
    const policy = elements.find((element) => element.attributes['http-equiv'] === 'Content-Security-Policy')
    expect(policy?.attributes.content).toMatch(
      /^default-src 'none'; img-src data:; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'$/,
    )
  })
})
