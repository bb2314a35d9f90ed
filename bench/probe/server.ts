import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'

/** The target server on machines without nginx: `server.ts <folder> <port>`, in its own process. */
const [folder = '', port = ''] = process.argv.slice(2)
const file = (name: string) => readFileSync(join(folder, name))
const page = file('pages/index.html')
createServer({ cert: file('cert.pem'), key: file('key.pem') }, (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length }).end(page)
}).listen({ port: Number(port), host: '127.0.0.1', backlog: 4096 })
