import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { openDns } from '@kustos/clients/dns'
import { openMail } from '@kustos/clients/mail'
import { readRedisFacts } from '@kustos/clients/queue'
import { checkArchiveFolder } from '../logs/index.ts'
import type { Configuration } from '../platform/configuration/index.ts'
import { errorMessage } from '../platform/errors.ts'
import { type Finding, reportError, reportOk, reportWarning } from './finding.ts'

const oldestNode = 24
const gib = 1024 ** 3

export function checkProgram(configuration: Configuration): Finding[] {
  const { node } = process.versions
  return [
    Number.parseInt(node, 10) < oldestNode
      ? reportError('program', `Node.js is ${node}.`, `Kustos needs Node.js ${oldestNode} or newer.`)
      : reportOk('program', `Node.js ${node}, revision ${configuration.KUSTOS_REVISION}.`),
    configuration.PUBLIC_URL === undefined
      ? reportWarning(
          'address',
          'PUBLIC_URL is not set: messages have no links, and only requests to localhost and addresses are served.',
          'Set it to the address that users open, such as https://kustos.example.com.',
        )
      : reportOk('address', `Users open ${configuration.PUBLIC_URL}.`),
  ]
}

export async function checkQueue({ REDIS_URL: url }: Configuration): Promise<Finding> {
  if (url === undefined) return reportOk('queue', 'The job queue is in Postgres.')
  try {
    const servers = await readRedisFacts(url)
    const versions = [...new Set(servers.map(({ version }) => version))].join(', ')
    const dropping = servers.find(({ policy }) => policy !== 'noeviction')
    if (dropping)
      return reportError(
        'queue',
        `Redis ${versions} may drop jobs: its maxmemory-policy is ${dropping.policy}.`,
        'Set maxmemory-policy to noeviction.',
      )
    return reportOk(
      'queue',
      servers.length === 1
        ? `Redis ${versions} answers.`
        : `Redis ${versions} answers, a cluster of ${servers.length} servers.`,
    )
  } catch (error) {
    const advice = 'Check REDIS_URL and its password. Meanwhile jobs wait in the database.'
    return reportError('queue', `Redis cannot be used: ${errorMessage(error)}.`, advice)
  }
}

export async function checkMail({ SMTP_URL: url, MAIL_FROM: from }: Configuration): Promise<Finding[]> {
  if (url === undefined) return []
  try {
    await openMail({ url, from }).verify()
    return [reportOk('mail', 'The mail server lets Kustos sign in.')]
  } catch (error) {
    return [
      reportError(
        'mail',
        errorMessage(error),
        'Check SMTP_URL and whether a firewall blocks the connection.',
      ),
    ]
  }
}

/** A name that always exists (RFC 2606). */
const knownName = 'example.com'

export async function checkNameServers({ DNS_SERVERS: servers }: Configuration): Promise<Finding[]> {
  const lists = servers.length > 0 ? servers.map((server) => [server]) : [[]]
  return Promise.all(
    lists.map(async (list): Promise<Finding> => {
      const name = list[0] ?? "The system's name server"
      const dns = openDns({ servers: list })
      try {
        const answer = await dns.resolve(knownName)
        return answer.outcome === 'found'
          ? reportOk('DNS', `${name} answers.`)
          : reportWarning(
              'DNS',
              `${name} does not find ${knownName}.`,
              'Check DNS_SERVERS, and whether a firewall lets UDP and TCP through to port 53.',
            )
      } finally {
        dns.close()
      }
    }),
  )
}

export async function checkFiles(configuration: Configuration): Promise<Finding[]> {
  const { SSH_KEY_FILE: key, AUDIT_ARCHIVE_DIR: archive } = configuration
  const findings: Finding[] = []
  if (key !== undefined)
    findings.push(
      (await isReadable(key))
        ? reportOk('SSH key', `${key} can be read.`)
        : reportError(
            'SSH key',
            `${key} cannot be read.`,
            'Let the user that Kustos runs as read SSH_KEY_FILE.',
          ),
    )
  if (archive !== undefined) findings.push(await checkArchive(archive))
  return findings
}

async function checkArchive(folder: string): Promise<Finding> {
  try {
    await checkArchiveFolder(folder)
  } catch (error) {
    return reportError('archive', errorMessage(error), 'Let the user that Kustos runs as write there.')
  }
  const { bavail, bsize } = await statfs(folder)
  const free = (bavail * bsize) / gib
  return free < 1
    ? reportWarning(
        'archive',
        `${folder} has ${free.toFixed(1)} GiB left.`,
        'Move archives of the audit log elsewhere.',
      )
    : reportOk('archive', `${folder} has ${free.toFixed(0)} GiB left.`)
}

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
