import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { makeAuthority } from '@kustos/clients/testing/certificates'
import { freePort } from '@kustos/clients/testing/free-port'
import { core, isInstalled, startOnCore, stop } from './machine.ts'

const zone = 'webs.test'
export const formatHost = (web: number) => `web${web}.${zone}`

export interface TargetServer {
  /** For the heading, such as nginx. */
  readonly program: string
  readonly port: number
  /** The path of the certificate authority's certificate. */
  readonly authorityFile: string
  stop(): Promise<void>
}

/** Serves any number of webs on one loopback port over TLS, each with a page of 20 KB: nginx if installed, else Node. */
export async function startTargetServer(folder: string): Promise<TargetServer> {
  const authority = await makeAuthority('O=Benchmark, CN=Benchmark R1')
  const { cert, key } = await authority.issue({ names: [`*.${zone}`] })
  const port = await freePort()
  const file = (name: string) => join(folder, name)
  await mkdir(file('pages'))
  await writeFile(file('authority.pem'), authority.cert)
  await writeFile(file('cert.pem'), cert)
  await writeFile(file('key.pem'), key)
  await writeFile(file('pages/index.html'), 'x'.repeat(20_000))
  await writeFile(file('nginx.conf'), nginx(folder, port))
  const isNginx = isInstalled('nginx')
  const child = isNginx
    ? startOnCore(core.targets, ['nginx', '-c', file('nginx.conf')])
    : startOnCore(core.targets, [
        process.execPath,
        join(import.meta.dirname, 'server.ts'),
        folder,
        String(port),
      ])
  await waitUntilReachable(port)
  return {
    program: isNginx ? 'nginx' : 'a server in Node',
    port,
    authorityFile: file('authority.pem'),
    stop: () => stop(child),
  }
}

const nginx = (folder: string, port: number) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 8192; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port} ssl backlog=4096;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    root ${folder}/pages;
  }
}
`

async function waitUntilReachable(port: number): Promise<void> {
  for (const until = Date.now() + 10_000; Date.now() < until; await sleep(50)) {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    const isListening = await once(socket, 'secureConnect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isListening) return
  }
  throw new Error('The target server does not respond')
}
