import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Behaviour, findHostsByBehaviour } from '../src/seed/behaviours.ts'
import { createCertificate } from '../src/seed/certificates.ts'
import { openCertificateAuthority } from '../src/sites/certificate-authority.ts'
import { type SandboxSites, startSites } from '../src/sites/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-certificates-'))
const known = 'www.alpenhof-latemar.test'
let sites: SandboxSites
let ca: string

beforeAll(async () => {
  sites = await startSites({ folder: join(folder, 'authority'), nodesFolder: folder, webs: new Map() })
  ca = await readFile(sites.authorityFile, 'utf8')
})
afterAll(async () => {
  await sites.stop()
  await rm(folder, { recursive: true, force: true })
})

const findHost = (kind: Behaviour['kind']): string => findHostsByBehaviour(kind)[0] ?? ''

describe('the certificate authority', () => {
  const authorityFolder = join(folder, 'kept')
  const now = new Date('2026-11-04T12:00:00Z')
  const later = (days: number) => new Date(now.getTime() + days * 24 * 3600 * 1000)
  const open = async (at: Date) =>
    readFile((await openCertificateAuthority(authorityFolder, at)).file, 'utf8')

  test('survives restarts with a key that only its owner can read', async () => {
    const first = await open(now)
    expect(await open(later(30))).toBe(first)
    expect((await stat(join(authorityFolder, 'authority.key'))).mode & 0o077).toBe(0)
  })

  test('is recreated near its expiry or if its files are invalid', async () => {
    const first = await open(now)
    const second = await open(later(3640))
    expect(second).not.toBe(first)
    await writeFile(join(authorityFolder, 'authority.key'), 'cut off')
    const third = await open(later(3640))
    expect(third).not.toBe(second)
    expect(await open(later(3640))).toBe(third)
  })
})

test('keeps an expired certificate expired and renews a nearly expired one at the last moment', () => {
  const first = new Date('2026-11-04T12:00:00Z')
  const daysLeft = (kind: Behaviour['kind'], days: number) => {
    const at = new Date(first.getTime() + days * 24 * 3600 * 1000)
    const end = createCertificate(findHost(kind), at, first)?.until.getTime() ?? Number.NaN
    return Math.round((10 * (end - at.getTime())) / (24 * 3600 * 1000)) / 10
  }
  expect([0, 5].map((days) => daysLeft('expired', days))).toEqual([-12.4, -17.4])
  expect([0, 3, 4, 10, 11].map((days) => daysLeft('expiring', days))).toEqual([3.1, 0.1, 6.1, 0.1, 6.1])
  for (let days = 0; days < 120; days++) {
    const at = new Date(first.getTime() + days * 24 * 3600 * 1000)
    const end = createCertificate(known, at, first)?.until.getTime() ?? Number.NaN
    expect((end - at.getTime()) / (24 * 3600 * 1000)).toBeGreaterThan(29)
  }
})

test('resumes TLS sessions even for more hosts than are cached', async () => {
  const handshake = (servername: string, session?: Buffer) =>
    new Promise<{ isResumed: boolean; ticket: Buffer | undefined }>((resolve, reject) => {
      const { tls: port } = sites.ports
      const socket = connect({ host: '127.0.0.1', port, servername, ca, ...(session && { session }) })
      let [isResumed, ticket]: [boolean, Buffer?] = [false]
      socket.once('error', reject)
      socket.once('secureConnect', () => {
        isResumed = socket.isSessionReused()
        // Tickets follow the handshake with the first data.
        socket.end('GET /none HTTP/1.1\r\n\r\n')
        socket.resume()
      })
      socket.on('session', (received) => {
        ticket = received
      })
      socket.once('close', () => resolve({ isResumed, ticket }))
    })
  const { ticket } = await handshake(known)
  expect((await handshake(known, ticket)).isResumed).toBe(true)
  for (let i = 0; i < 300; i += 50)
    await Promise.all(Array.from({ length: 50 }, (_, j) => handshake(`www.host-${i + j}.test`)))
  expect((await handshake(known, ticket)).isResumed).toBe(true)
})
