import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { openProber } from '@kustos/clients/probe'
import { Client } from 'undici'
import { type Pace, runPaced } from './run-paced.ts'
import { formatHost } from './target-server.ts'

// Probes with our client or undici's in its own process: `clients.ts <kind> <port> <authority file>`. Each message says
// how many webs to probe and at which pace; the reply says how many responded.

const [kind = '', port = '', authorityFile = ''] = process.argv.slice(2)
const authority = readFileSync(authorityFile, 'utf8')

type Probe = (host: string) => Promise<number | null>

function ours(): Probe {
  const prober = openProber({ connectTo: `::127.0.0.1:${port}`, authorities: [authority] })
  return async (host) => (await prober.probe(host)).status
}

/** One connection per probe, all with one secure context, without limits, address checks or name resolution. */
function bareUndici(resumes: boolean): Probe {
  const secureContext = tls.createSecureContext({ ca: [...tls.rootCertificates, authority] })
  const sessions = new Map<string, Buffer>()
  return async (host) => {
    const client = new Client(`https://${host}`, {
      connect(_, callback) {
        const session = resumes ? sessions.get(host) : undefined
        const socket = tls.connect({
          host: '127.0.0.1',
          port: Number(port),
          servername: host,
          secureContext,
          ALPNProtocols: ['http/1.1'],
          ...(session && { session }),
        })
        if (resumes) socket.on('session', (latest) => sessions.set(host, latest))
        socket.once('error', (error) => callback(error, null))
        socket.once('secureConnect', () => callback(null, socket))
      },
    })
    const response = await client.request({ path: '/', method: 'GET', reset: true })
    await response.body.dump()
    await client.destroy()
    return response.statusCode
  }
}

const kinds: Readonly<Record<string, () => Probe>> = {
  ours,
  undici: () => bareUndici(false),
  'undici-resumed': () => bareUndici(true),
}
const probe = kinds[kind]?.()
if (probe === undefined) throw new Error(`There is no client ${kind}`)

process.on('message', ({ webs, pace }: { webs: number; pace: Pace }) => {
  runPaced(webs, pace, async (web) => (await probe(formatHost(web))) === 200).then(
    (responded) => process.send?.({ responded }),
    (error: unknown) => {
      process.stderr.write(`${error}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
process.send?.('ready')
