import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Serves ordinary sites and the vendors that they load, in a process of its own so that it does not count. Each page has a
 * stylesheet, a font, a dozen images, three scripts, a banner, a tag manager and a pixel that waits for consent.
 */
const delayMs = 30
const script = `${'var a=/x/g;function b(c){return c/2}'.repeat(3_000)};window.lib=(window.lib||0)+1`
const container =
  'var data = {"resource": {"version": "1", "macros": [], "tags": [], "predicates": [], "rules": []}};'
const image = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const padding = Buffer.alloc(60 * 1024)

const banner = `<div id="banner" role="dialog">Wir verwenden Cookies.
<button onclick="answer(true)">Alle akzeptieren</button> <button onclick="answer(false)">Alle ablehnen</button></div>
<script>function answer(yes){document.getElementById('banner').remove();localStorage.consent=yes;if(yes){
document.cookie='_fbp=fb.1.1';new Image().src='http://www.facebook.com/tr/?id=123456789012345&ev=PageView';}}</script>`

const page = (
  title: string,
) => `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/main.css">
${[1, 2, 3].map((index) => `<script src="/script-${index}.js" defer></script>`).join('')}
<script>setTimeout(function(){var s=document.createElement('script');s.src='http://www.googletagmanager.com/gtm.js?id=GTM-ABC1234';
document.head.append(s)},200)</script></head><body><nav><a href="/">Start</a><a href="/zimmer/">Zimmer</a>
<a href="/kontakt/">Kontakt</a><a href="/impressum/">Impressum</a></nav><h1>${title}</h1>
${Array.from({ length: 12 }, (_, index) => `<img src="/image-${index}.gif" alt="" width="300" height="200">`).join('')}
${'<p>Guten Tag und herzlich willkommen in unserem Haus.</p>'.repeat(300)}${banner}</body></html>`

async function respond(response: ServerResponse, path: string): Promise<void> {
  await sleep(delayMs)
  const send = (type: string, body: string | Buffer, status = 200) =>
    response.writeHead(status, { 'content-type': type, 'cache-control': 'max-age=60' }).end(body)
  if (path.endsWith('.css'))
    return void send('text/css', '@font-face{font-family:A;src:url(/a.woff2)}body{font-family:A}')
  if (path.endsWith('.gif')) return void send('image/gif', Buffer.concat([image, padding]))
  if (path.endsWith('.woff2')) return void send('font/woff2', padding)
  if (path.startsWith('/gtm.js')) return void send('text/javascript', container)
  if (path.includes('.js')) return void send('text/javascript', script)
  if (/^\/(?:zimmer\/|kontakt\/|impressum\/)?$/.test(path))
    return void send('text/html', page(`Hotel ${path}`))
  send('text/html', page('Nicht gefunden'), 404)
}

const server = createServer((request, response) => {
  response.on('error', () => response.destroy())
  void respond(response, request.url ?? '')
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
