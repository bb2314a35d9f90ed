import type { ServerResponse } from 'node:http'
import { setInterval } from 'node:timers'
import { createGzip } from 'node:zlib'
import type { Pages } from './browser-sites.ts'

export interface Targets {
  /** A private service, as host and port. */
  readonly tcp: string
  readonly udp: string
  /** The host of a server that floods WebSockets. */
  readonly flood: string
  /** What no file on this machine may be named. */
  readonly fileName: string
}

export interface HostilePage {
  readonly name: string
  readonly pages: Pages
  /** The code of the problem or of the failure if the machine is idle; empty if there is none. */
  readonly end: RegExp
  /** Whether it may occupy or end its browser, so that it gets one of its own. */
  readonly isIsolated?: true
}

const html = (response: ServerResponse, status = 200) =>
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })

const redirectTo = (location: string): Pages => ({
  '/': (response) => response.writeHead(302, { location }).end(),
})

/** Sends a part of a document each second, until the visitor leaves. */
function drip(response: ServerResponse): void {
  html(response).write('<!DOCTYPE html>')
  const timer = setInterval(() => response.write('<p>'), 1_000)
  response.on('close', () => clearInterval(timer))
}

function sendBomb(response: ServerResponse, mebibytes: number): void {
  response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
  const gzip = createGzip({ level: 1 })
  gzip.pipe(response)
  const chunk = Buffer.alloc(1024 * 1024, '<p>Guten Tag</p>')
  let left = mebibytes
  const write = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!gzip.write(chunk)) return
    }
    gzip.end()
  }
  gzip.on('drain', write)
  response.on('close', () => gzip.destroy())
  write()
}

const worker = "URL.createObjectURL(new Blob(['for (;;);']))"

/** Pages that attack the audit, its machine or the network behind it, and how their visits end. */
export function hostilePages({ tcp, udp, flood, fileName }: Targets): readonly HostilePage[] {
  const secret = `http://${tcp}/secret`
  const script = (name: string, code: string, end: RegExp = /^$/): HostilePage => ({
    name,
    pages: { '/': `<!DOCTYPE html><body><script>${code}</script>` },
    end,
  })
  const page = (name: string, pages: Pages | string, end: RegExp): HostilePage => ({
    name,
    pages: typeof pages === 'string' ? { '/': pages } : pages,
    end,
  })
  const isolated = (one: HostilePage): HostilePage => ({ ...one, isIsolated: true })
  const refused = /^(address_private|port_refused)$/
  return [
    // Time
    isolated(script('a script that never ends', 'for (;;);', /^visit_(timed_out|scripts_endless)$/)),
    isolated(
      script(
        'a script that never ends later',
        'setTimeout(() => { for (;;); }, 300)',
        /scripts_endless|timed_out/,
      ),
    ),
    script('endless frames of an animation', 'const f = () => requestAnimationFrame(f); f()'),
    script(
      'functions that never return',
      `setTimeout = () => 0
      window.UC_UI = { isInitialized: () => true, denyAllConsents: () => new Promise(() => {}) }`,
      /^visit_timed_out$/,
    ),
    script(
      'endless reloads',
      'setTimeout(() => location.reload(), 20)',
      /^(visit_leaves_endless|visit_timed_out)?$/,
    ),
    page(
      'endless redirects',
      { '/': (response) => response.writeHead(302, { location: `/?${Math.random()}` }).end() },
      /^visit_redirects_endless$/,
    ),
    page(
      'endless refreshes by an element',
      '<meta http-equiv="refresh" content="0">',
      /^(visit_leaves_endless|visit_timed_out)?$/,
    ),
    page('a document that drips', { '/': drip }, /^(visit_timed_out|visit_not_loaded)?$/),
    page(
      'a script that drips',
      { '/': '<script src="/slow.js"></script>', '/slow.js': drip },
      /^(visit_timed_out|visit_not_loaded)?$/,
    ),
    script(
      'a flood of history entries',
      "setInterval(() => { for (let i = 0; i < 500; i++) history.pushState(i, '', '?' + i) }, 10)",
    ),
    // Windows and dialogs
    script('endless dialogs', 'for (;;) alert(1)', /^visit_dialogs_endless$/),
    script(
      'dialogs when it is left',
      "addEventListener('beforeunload', (event) => { event.preventDefault(); for (let i = 0; i < 9; i++) alert(i) }); location.hash = 'a'",
    ),
    script(
      'endless windows',
      "for (let i = 0; i < 1000; i++) window.open('/' + i)",
      /^(visit_windows_endless)?$/,
    ),
    script('endless printing', 'setInterval(() => print(), 50)'),
    script(
      'permission prompts',
      `navigator.geolocation.getCurrentPosition(() => 0)
      Notification.requestPermission()
      navigator.mediaDevices?.getUserMedia({ audio: true, video: true }).catch(() => 0)
      navigator.requestMIDIAccess?.({ sysex: true }).catch(() => 0)
      navigator.clipboard?.readText().catch(() => 0)
      document.documentElement.requestFullscreen().catch(() => 0)
      document.documentElement.requestPointerLock()`,
    ),
    // Amount
    script(
      '100,000 requests',
      `let n = 0
      setInterval(() => { for (let i = 0; i < 200 && n < 1e5; i++) fetch('/x?' + n++).catch(() => 0) }, 20)`,
      /^visit_too_many_requests$/,
    ),
    script(
      'a flood of WebSockets',
      `setInterval(() => { for (let i = 0; i < 50; i++) new WebSocket('ws://${flood}/') }, 10)`,
      /^visit_too_(many_requests|large)$/,
    ),
    script('a flood of messages to it', `new WebSocket('ws://${flood}/')`, /^visit_too_large$/),
    script(
      'a flood of messages by it',
      `const socket = new WebSocket('ws://${flood}/')
      socket.onopen = () => setInterval(() => { for (let i = 0; i < 100; i++) socket.send('a'.repeat(1000)) }, 1)`,
      /^visit_too_large$/,
    ),
    script(
      'an endless upload',
      "setInterval(() => fetch('/up', { method: 'POST', body: new Uint8Array(4e6) }).catch(() => 0), 50)",
      /^visit_too_large$/,
    ),
    page(
      'an endless download',
      {
        '/': "<script>fetch('/endless').then(async ({ body }) => { for await (const chunk of body); })</script>",
        '/endless': (response) => {
          const chunk = Buffer.alloc(64 * 1024)
          const write = () => {
            while (!response.destroyed && response.write(chunk));
          }
          response.writeHead(200, { 'content-type': 'application/octet-stream' })
          response.on('drain', write)
          write()
        },
      },
      /^visit_too_large$/,
    ),
    isolated(
      page(
        'a document of 200 MB in a packet of 1',
        { '/': (response) => sendBomb(response, 200) },
        /^(visit_(timed_out|crashed|scripts_endless))?$/,
      ),
    ),
    isolated(
      script(
        'an endless document',
        `setInterval(() => {
        const part = document.createElement('div')
        part.innerHTML = '<p class="a">Guten Tag</p>'.repeat(20000)
        document.body.append(part)
      }, 0)`,
        /^visit_(timed_out|crashed|scripts_endless)$/,
      ),
    ),
    isolated(
      script(
        'a script that keeps all memory',
        'for (const a = []; ; ) a.push(new Array(1e6).fill(Math.random()))',
        /^visit_(crashed|timed_out)$/,
      ),
    ),
    isolated(
      script(
        'a flood of workers',
        `for (let i = 0; i < 30; i++) new Worker(${worker})`,
        /^(visit_(timed_out|scripts_endless))?$/,
      ),
    ),
    page(
      'frames in frames',
      '<iframe src="/?a"></iframe><iframe src="/?b"></iframe>',
      /^(visit_too_many_requests|visit_timed_out)?$/,
    ),
    script(
      'a flood of messages to the console',
      "setInterval(() => { for (let i = 0; i < 50; i++) console.log('a'.repeat(100000)) }, 10)",
    ),
    script('a flood of errors', "setInterval(() => { throw new Error('a'.repeat(100000)) }, 0)"),
    isolated(
      script(
        'messages of 400 MB',
        "console.log('a'.repeat(4e8)); throw new Error('a'.repeat(2e8))",
        /^(visit_crashed)?$/,
      ),
    ),
    isolated(
      script(
        'a body of 200 MB',
        "fetch('/up', { method: 'POST', body: 'a'.repeat(2e8) }).catch(() => 0)",
        /^(browser_ended|visit_too_large|visit_crashed)$/,
      ),
    ),
    script(
      // More than a visit may send. With four times as much, newer Chromiums crash for lack of memory.
      'bodies that it does not send',
      "for (let i = 0; i < 50; i++) fetch('http://0.0.0.0/', { method: 'POST', body: 'a'.repeat(1e6) }).catch(() => 0)",
      /^(visit_too_many_requests|visit_too_large)?$/,
    ),
    page(
      'huge cookies',
      {
        '/': (response) => {
          response.setHeader(
            'set-cookie',
            Array.from({ length: 50 }, (_, n) => `c${n}=${'a'.repeat(4_000)}`),
          )
          html(response).end(
            `<script>for (let i = 0; i < 3000; i++) document.cookie = 'd' + i + '=' + 'b'.repeat(4000)</script>`,
          )
        },
      },
      /^(visit_not_opened)?$/,
    ),
    // Files
    script(
      'downloads',
      `for (let i = 0; i < 50; i++) {
        const link = document.createElement('a')
        link.href = URL.createObjectURL(new Blob(['a'.repeat(1e5)]))
        link.download = '${fileName}'
        link.click()
      }`,
    ),
    page(
      'a download',
      {
        '/': (response) =>
          response.writeHead(200, { 'content-disposition': `attachment; filename=${fileName}` }).end('x'),
      },
      /^visit_download$/,
    ),
    script(
      'a file that it wants to save',
      `showSaveFilePicker?.({ suggestedName: '${fileName}' }).then(async (file) => {
        const stream = await file.createWritable()
        await stream.write('a')
        await stream.close()
      }).catch(() => 0)
      window.showDirectoryPicker?.({ mode: 'readwrite' }).catch(() => 0)`,
    ),
    script(
      'files of this machine',
      `location = 'file:///etc/passwd'
      fetch('file:///etc/passwd').catch(() => 0)
      window.open('file:///etc/passwd')
      document.write('<iframe src="file:///etc/passwd"></iframe><img src="file:///etc/passwd">')`,
    ),
    script(
      'storage that fills',
      `const request = indexedDB.open('a')
      request.onupgradeneeded = () => request.result.createObjectStore('a')
      request.onsuccess = () => setInterval(() => request.result.transaction('a', 'readwrite').objectStore('a').put(new Uint8Array(2e6), Math.random()), 50)
      setInterval(() => { try { localStorage[Math.random()] = 'a'.repeat(1e5) } catch {} }, 20)`,
    ),
    // Private addresses
    page('a redirect to a private address', redirectTo(secret), refused),
    page(
      'a way to a private address by a script',
      `<script>location = '${secret}'</script>`,
      /^(address_private|port_refused|visit_not_opened|visit_answered|visit_leaves_endless)?$/,
    ),
    script(
      'requests for private addresses',
      `for (const host of ['${tcp}', '${tcp.replace('127.0.0.2', '2130706434')}', '${tcp.replace('127.0.0.2', '[::ffff:127.0.0.2]')}', '${tcp.replace('127.0.0.2', 'localhost')}', '169.254.169.254'])  {
        fetch('http://' + host + '/secret', { mode: 'no-cors' }).catch(() => 0)
        fetch('https://' + host + '/secret', { mode: 'no-cors', keepalive: true }).catch(() => 0)
        navigator.sendBeacon('http://' + host + '/secret', 'a')
        new WebSocket('ws://' + host + '/secret')
        new EventSource('http://' + host + '/secret')
        new Image().src = 'http://' + host + '/secret'
      }`,
    ),
    page(
      'private addresses that it prefetches',
      `<link rel="prefetch" href="${secret}"><link rel="preconnect" href="http://${tcp}">
      <link rel="dns-prefetch" href="//${tcp}"><link rel="preload" as="script" href="${secret}"><link rel="modulepreload" href="${secret}">
      <link rel="manifest" href="${secret}"><link rel="icon" href="${secret}">
      <script type="speculationrules">{ "prerender": [{ "urls": ["${secret}"] }], "prefetch": [{ "urls": ["${secret}"] }] }</script>
      <iframe src="${secret}"></iframe><object data="${secret}"></object><form action="${secret}" method="post"></form>
      <script>document.forms[0].submit()</script>`,
      /^(address_private|port_refused|visit_not_opened|visit_leaves_endless|visit_answered)?$/,
    ),
    script(
      'HTTP/3 to a private address',
      `if ('WebTransport' in window) for (let i = 0; i < 3; i++) new WebTransport('https://${udp}/').ready.catch(() => 0)`,
    ),
    page(
      'another service at a private address',
      {
        '/': (response) => {
          response.setHeader('alt-svc', `h3="${udp}", h2="${tcp}"`)
          html(response).end('<script>for (let i = 0; i < 5; i++) fetch("/a" + i).catch(() => 0)</script>')
        },
      },
      /^$/,
    ),
    script(
      'calls of a private address',
      `for (const urls of ['stun:${udp}', 'turn:${udp}?transport=udp', 'turn:${tcp}?transport=tcp']) {
        const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] })
        peer.createDataChannel('a')
        peer.createOffer().then((offer) => peer.setLocalDescription(offer))
      }`,
    ),
    page(
      'a service worker that asks private addresses',
      {
        '/': "<script>navigator.serviceWorker?.register('/worker.js').catch(() => 0)</script><iframe srcdoc=\"<script>parent.navigator.serviceWorker?.register('/worker.js')</script>\"></iframe>",
        '/worker.js': (response) =>
          response
            .writeHead(200, { 'content-type': 'text/javascript' })
            .end(
              `setInterval(() => fetch('${secret}', { mode: 'no-cors' }).catch(() => 0), 50); onfetch = (event) => event.respondWith(fetch('${secret}'))`,
            ),
      },
      /^$/,
    ),
  ]
}
