import { describe, expect, test } from 'vitest'
import { composeCertificates, type ExpiringCertificate } from '../../src/monitoring/alerts/certificates.ts'
import { compose } from '../../src/monitoring/alerts/compose.ts'
import type { RoundNotifications } from '../../src/monitoring/alerts/index.ts'
import { formatDuration } from '../../src/monitoring/alerts/message-parts.ts'
import { createNews, incidentOpened, incidentResolved, numbers } from './round-news.ts'

const titles = (news: Partial<RoundNotifications>) =>
  compose(createNews(news), null).map(({ content }) => content.title)

describe('one web', () => {
  test('that is down is reported with status, customer, node, time in Rome and reason', () => {
    const [message, ...more] = compose(
      createNews({ opened: [incidentOpened(7, { fqdn: 'www.alpenhof.test', customer: 'ALPEN' })] }),
      'https://kustos.test/',
    )
    expect(more).toEqual([])
    expect(message).toEqual({
      channels: ['slack'],
      content: {
        title: 'www.alpenhof.test is down: 503',
        lines: [
          'Customer: ALPEN',
          'Node: node7',
          'Since: 2026/11/20 11:00:20',
          'Reason: the server responded with status 503',
        ],
        url: 'https://kustos.test/monitoring/incidents/1007',
      },
      incidents: [1007],
      event: {
        type: 'opened',
        severity: 'critical',
        incidents: [
          {
            incident: 1007,
            outage: null,
            kind: 'down',
            web: { id: 7, fqdn: 'www.alpenhof.test', customer: 'ALPEN' },
            node: 'node7',
            since: '2026-11-20T10:00:20.000Z',
            until: null,
            reason: 'the server responded with status 503',
            url: 'https://kustos.test/monitoring/incidents/1007',
          },
        ],
      },
    })
  })

  test('that did not respond and has no node is reported without them', () => {
    const one = incidentOpened(1, { status: null, reason: 'no response within 10 s', node: null })
    expect(compose(createNews({ opened: [one] }), null)[0]?.content).toEqual({
      title: 'web1.test is down: no response within 10 s',
      lines: ['Customer: CUSTOMER1', 'Since: 2026/11/20 11:00:20', 'Reason: no response within 10 s'],
    })
  })

  test('that is up again is reported with its downtime', () => {
    const [message] = compose(
      createNews({ resolved: [incidentResolved(3, 727, { fqdn: 'bäckerei.test' })] }),
      'https://kustos.test',
    )
    expect(message?.content).toEqual({
      title: 'bäckerei.test is up again after 12 min',
      lines: [
        'Customer: CUSTOMER3',
        'Node: node3',
        'Down: 2026/11/20 11:00:20 to 2026/11/20 11:12:27',
        'Downtime: 12 min',
        'Reason: the server responded with status 503',
      ],
      url: 'https://kustos.test/monitoring/incidents/1003',
    })
  })

  test('that flaps is reported once, and once when it is stable', () => {
    const fields = { kind: 'flapping', fqdn: 'a.test', node: null } as const
    expect(
      compose(
        createNews({ opened: [incidentOpened(1, fields)], resolved: [incidentResolved(1, 300, fields)] }),
        null,
      ).map(({ content }) => content),
    ).toEqual([
      {
        title: 'a.test is flapping: 503',
        lines: [
          'Customer: CUSTOMER1',
          'Since: 2026/11/20 11:00:20',
          'Reason: the server responded with status 503',
          'It was down 3 times in the hour before. Further failures are not announced one by one. You are told if it stays down for 10 minutes, and once it has answered for an hour.',
        ],
      },
      {
        title: 'a.test is stable again, down for 5 min',
        lines: [
          'Customer: CUSTOMER1',
          'Down: 2026/11/20 11:00:20 to 2026/11/20 11:05:20',
          'Downtime: 5 min',
          'Reason: the server responded with status 503',
        ],
      },
    ])
  })

  test('is reported in local time on the days when clocks change', () => {
    const one = incidentOpened(1, { startedAt: new Date('2026-10-25T00:59:00Z') })
    const other = incidentOpened(2, { startedAt: new Date('2026-10-25T01:59:00Z') })
    const since = compose(createNews({ opened: [one, other] }), null).map(({ content }) => content.lines[2])
    expect(since).toEqual(['Since: 2026/10/25 02:59:00', 'Since: 2026/10/25 02:59:00'])
  })
})

describe('webs of one node', () => {
  const onNode = (count: number) => numbers(count).map((id) => incidentOpened(id, { node: 9 }))
  test.each([
    // Too few to be grouped, whatever their share of the node's webs is.
    { opened: 2, probed: 4, failed: 2, grouped: false },
    { opened: 2, probed: 2, failed: 2, grouped: false },
    { opened: 3, probed: 5, failed: 3, grouped: true },
    { opened: 3, probed: 6, failed: 3, grouped: true },
    { opened: 3, probed: 7, failed: 3, grouped: false },
    // Some of the failed ones were known to be down before.
    { opened: 3, probed: 7, failed: 4, grouped: true },
    { opened: 25, probed: 60, failed: 30, grouped: true },
  ])('$opened of $probed down, $failed failed: grouped $grouped', ({ opened, probed, failed, grouped }) => {
    const composed = titles({ opened: onNode(opened), hosts: new Map([['9', { probed, failed }]]) })
    expect(composed).toEqual(
      grouped
        ? [`node9: ${opened} webs are down`]
        : numbers(opened).map((id) => `web${id}.test is down: 503`),
    )
  })

  test('share one alert with node and customers, sent to all their channels', () => {
    const opened = [
      incidentOpened(1, { node: 9, customer: 'ALPEN', channels: ['slack'] }),
      incidentOpened(2, {
        node: 9,
        customer: 'BERG',
        channels: ['mail', 'slack'],
        status: null,
        reason: 'timed out',
      }),
      incidentOpened(3, {
        node: 9,
        customer: 'ALPEN',
        channels: [],
        startedAt: new Date('2026-11-20T09:59:50Z'),
      }),
    ]
    const hosts = new Map([['9', { probed: 4, failed: 3 }]])
    expect(compose(createNews({ opened, hosts }), 'https://kustos.test')).toEqual([
      {
        channels: ['slack', 'mail'],
        content: {
          title: 'node9: 3 webs are down',
          lines: [
            'Customers: ALPEN, BERG',
            'Since: 2026/11/20 10:59:50',
            'Probed there since then: 4, of which failed: 3',
            'web1.test (ALPEN): 503',
            'web2.test (BERG): timed out',
            'web3.test (ALPEN): 503',
          ],
          url: 'https://kustos.test/monitoring/webs',
        },
        incidents: opened.map(({ incident }) => incident),
        event: expect.objectContaining({ type: 'opened', severity: 'critical' }),
      },
    ])
  })

  test('link to the incident that they are members of', () => {
    const opened = numbers(3).map((id) => incidentOpened(id, { node: 9, outage: 77 }))
    const hosts = new Map([['9', { probed: 4, failed: 3 }]])
    const [message] = compose(createNews({ opened, hosts }), 'https://kustos.test')
    expect(message?.content.url).toBe('https://kustos.test/monitoring/incidents/77')
  })

  test('are grouped with those of nodes at the same address', () => {
    const opened = [8, 9, 9].map((node, index) => incidentOpened(index, { node, host: '192.0.2.1' }))
    const resolved = opened.map((one) => ({ ...one, endedAt: one.startedAt, downtime: 60, unmonitored: 0 }))
    const hosts = new Map([['192.0.2.1', { probed: 4, failed: 3 }]])
    expect(titles({ opened, resolved, hosts })).toEqual([
      'node8, node9: 3 webs are down',
      'node8, node9: 3 webs are up again',
    ])
  })

  test('are grouped with those that were announced a moment ago', () => {
    const hosts = new Map([['9', { probed: 9, failed: 8, announced: 6 }]])
    expect(titles({ opened: onNode(2), hosts })).toEqual(['node9: 2 webs are down'])
    expect(titles({ opened: onNode(1), hosts })).toEqual(['web1.test is down: 503'])
  })

  test('are grouped apart from those of other nodes and of none', () => {
    const hosts = new Map([
      ['9', { probed: 3, failed: 3 }],
      ['8', { probed: 30, failed: 3 }],
    ])
    const opened = [
      ...onNode(3),
      ...numbers(3, 10).map((id) => incidentOpened(id, { node: 8 })),
      ...numbers(3, 20).map((id) => incidentOpened(id, { node: null })),
    ]
    expect(titles({ opened, hosts })).toEqual([
      'node9: 3 webs are down',
      ...[10, 11, 12, 20, 21, 22].map((id) => `web${id}.test is down: 503`),
    ])
  })

  test.each([2, 3])('are reported when %i are up again', (count) => {
    const resolved = numbers(count).map((id) => incidentResolved(id, 60 * id, { node: 9 }))
    const composed = compose(createNews({ resolved }), null)
    if (count === 2) expect(composed).toHaveLength(2)
    else
      expect(composed.map(({ content }) => content)).toEqual([
        {
          title: 'node9: 3 webs are up again',
          lines: [
            'Customers: CUSTOMER1, CUSTOMER2, CUSTOMER3',
            'web1.test (CUSTOMER1), after 1 min',
            'web2.test (CUSTOMER2), after 2 min',
            'web3.test (CUSTOMER3), after 3 min',
          ],
        },
      ])
  })
})

describe('many webs', () => {
  test('are reported individually up to 20', () => {
    expect(titles({ opened: numbers(20).map((id) => incidentOpened(id)) })).toHaveLength(20)
    expect(titles({ resolved: numbers(20).map((id) => incidentResolved(id)) })).toHaveLength(20)
  })

  test('are summarised from 21 on: a count per node and the first 20 by name', () => {
    const opened = numbers(21).map((id) => incidentOpened(id, { node: id === 1 ? null : id <= 12 ? 3 : 4 }))
    const [message, ...more] = compose(createNews({ opened }), 'https://kustos.test')
    expect(more).toEqual([])
    expect(message?.content.title).toBe('21 webs are down')
    expect(message?.content.lines).toEqual([
      'By node: node3 11, node4 9, no node 1',
      ...numbers(20).map((id) => `web${id}.test (CUSTOMER${id}): 503`),
      '… and 1 more',
    ])
    expect(message?.content.url).toBe('https://kustos.test/monitoring/webs')
    expect(titles({ resolved: numbers(21).map((id) => incidentResolved(id)) })).toEqual([
      '21 webs are up again',
    ])
  })

  test('that follow many others are in one message', () => {
    const opened = numbers(4).map((id) => incidentOpened(id, { node: 9, customer: 'ALPEN' }))
    const news = createNews({ opened, hosts: new Map([['9', { probed: 4, failed: 4 }]]), isFollowUp: true })
    const [message, ...more] = compose(news, null)
    expect(more).toEqual([])
    expect(message?.content).toMatchObject({
      title: '4 more webs are down',
      lines: ['Customer: ALPEN', 'By node: node9 4', ...numbers(4).map((id) => `web${id}.test (ALPEN): 503`)],
    })
    expect(titles({ opened: opened.slice(0, 1), isFollowUp: true })).toEqual(['web1.test is down: 503'])
  })

  test('are counted without those of a node that is down', () => {
    const opened = [
      ...numbers(30).map((id) => incidentOpened(id, { node: 9 })),
      ...numbers(20, 100).map((id) => incidentOpened(id)),
    ]
    const composed = titles({ opened, hosts: new Map([['9', { probed: 30, failed: 30 }]]) })
    expect(composed).toHaveLength(21)
  })
})

test('composes nothing without transitions', () => {
  expect(compose(createNews({}), 'https://kustos.test')).toEqual([])
  expect(composeCertificates([], new Date(), null)).toEqual([])
})

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [59, '59 s'],
  [60, '1 min'],
  [61, '1 min 1 s'],
  [599, '9 min 59 s'],
  [600, '10 min'],
  [659, '10 min'],
  [3_599, '59 min'],
  [3_600, '1 h'],
  [3_659, '1 h'],
  [7_500, '2 h 5 min'],
  [86_399, '23 h 59 min'],
  [86_400, '1 d'],
  [86_460, '1 d'],
  [1_209_600 - 1, '13 d 23 h'],
])('formats %i seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

describe('certificates', () => {
  const now = new Date('2026-11-20T10:00:00Z')
  const ending = (
    id: number,
    hours: number,
    authority: string | null = "Let's Encrypt",
  ): ExpiringCertificate => ({
    web: incidentOpened(id).web,
    name: '',
    authority,
    end: new Date(now.getTime() + hours * 3_600_000),
  })

  test('are reported individually if there are one or two', () => {
    const composed = composeCertificates([ending(1, -1, null), ending(2, 166)], now, 'https://kustos.test')
    expect(composed.map(({ content }) => content)).toEqual([
      {
        title: 'The certificate of web1.test has expired',
        lines: ['Customer: CUSTOMER1', 'Node: node1', 'End: 2026/11/20 10:00:00'],
        url: 'https://kustos.test/monitoring/webs/show/1/web1.test',
      },
      {
        title: 'The certificate of web2.test expires in 6 d 22 h',
        lines: ['Customer: CUSTOMER2', 'Node: node2', 'End: 2026/11/27 09:00:00', "Issued by: Let's Encrypt"],
        url: 'https://kustos.test/monitoring/webs/show/2/web2.test',
      },
    ])
  })

  test('are listed in one alert if there are three or more, 20 of them by name', () => {
    const [few] = composeCertificates([ending(1, -1), ending(2, 5), ending(3, 50)], now, null)
    expect(few?.content).toEqual({
      title: 'Expired certificates: 1; expiring soon: 2',
      lines: [
        'web1.test (CUSTOMER1): 2026/11/20 10:00:00, has expired',
        'web2.test (CUSTOMER2): 2026/11/20 16:00:00, expires in 5 h',
        'web3.test (CUSTOMER3): 2026/11/22 13:00:00, expires in 2 d 2 h',
      ],
    })
    const many = composeCertificates(
      numbers(25).map((id) => ending(id, 100)),
      now,
      null,
    )
    expect(many).toHaveLength(1)
    expect(many[0]?.content.title).toBe('Certificates that expire soon: 25')
    expect(many[0]?.content.lines.at(-1)).toBe('… and 5 more')
  })
})
