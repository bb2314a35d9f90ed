import { type AuditedPages, load, measurementId, page, pixelId, script } from './audited-page.ts'

const pixel = `fbq('init', '${pixelId}')`
const config = `gtag('config', '${measurementId}')`

/** Scripts that name services and run none of it. */
const deadCode: Readonly<Record<string, string>> = {
  'a call behind false': `false && ${pixel}`,
  'a call behind a constant': `const tracking = false; tracking && ${pixel}; if (tracking) { ${config} }`,
  'a call behind a comparison of constants': `const stage = 'test'; if (stage === 'live') ${pixel}`,
  'a call in the other branch': `if (true) { document.title = 'Hotel' } else { ${pixel} }`,
  'a call after a return': `(function () { document.title = 'Hotel'; return; ${pixel} })()`,
  'a function that is never called': `(function () { function old() { ${pixel} } document.title = 'Hotel' })()`,
  'another function with the name of a pixel': `(function () { const cache = {}; function fbq(key, id) { cache[key] = id } ${pixel} })()`,
  'a method of another object': `const app = { fbq() {} }; app.${pixel}`,
  'code in a string that is shown': `addEventListener('load', () => { document.querySelector('h1').textContent = "${pixel}; ${config}" })`,
  'code in comments': `/* ${pixel} */ // ${config}`,
  'code in a regular expression': `if (/fbq\\('init', '${pixelId}'\\)/.test(document.title)) document.title = ''`,
}

const escaped = `&lt;script&gt;${pixel}&lt;/script&gt;`
const bodies: Readonly<Record<string, string>> = {
  'a guide with code samples': `<pre><code>${escaped}</code></pre><kbd>${config}</kbd>`,
  'a snippet in a template': `<template>${script(pixel)}<img src="https://www.facebook.com/tr?id=${pixelId}"></template>`,
  'a snippet in a field': `<textarea>${script(pixel)}</textarea>`,
  'a snippet in a comment': `<!-- ${script(pixel)} -->`,
  'ids in a privacy policy': `<p>Wir verwenden GTM-ABC1234, ${measurementId} und fbq mit ${pixelId} nicht mehr.</p>`,
  'links to services': `<a href="https://www.facebook.com/tr?id=${pixelId}">Meta</a> <a href="https://www.youtube.com/watch?v=abc">Video</a>`,
  'data for scripts': script(JSON.stringify({ code: pixel, tag: config }), 'type="application/json"'),
  'a video that loads once it is clicked': `<button onclick="this.outerHTML = '<iframe src=&quot;https://www.youtube-nocookie.com/embed/abc&quot;></iframe>'">Video zeigen</button>`,
  'a map that loads once it is clicked': `<img src="/map.png" alt="" onclick="location = 'https://www.google.com/maps'">`,
  'a pixel for browsers without scripts': `<noscript><img src="/tr.gif?id=${pixelId}" alt=""></noscript>`,
}

const heads: Readonly<Record<string, string>> = {
  'a page without anything': '',
  'fonts of its own':
    '<style>@font-face { font-family: A; src: url(/inter.woff2) } body { font-family: A }</style>',
  'jQuery from a CDN': load('https://code.jquery.com/jquery-3.7.1.min.js'),
  'libraries from CDNs':
    load('https://cdn.jsdelivr.net/npm/swiper@11/swiper-bundle.min.js') +
    load('https://unpkg.com/leaflet@1.9.4/dist/leaflet.js') +
    load('https://cdnjs.cloudflare.com/ajax/libs/gsap/3.12.5/gsap.min.js') +
    load('https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js'),
  'a payment service': load('https://js.stripe.com/v3/'),
  'hints for connections':
    '<link rel="preconnect" href="https://www.googletagmanager.com"><link rel="dns-prefetch" href="//connect.facebook.net">',
  'a script of its own that is called analytics.js': load('/analytics.js'),
  'a script of its own on another host': load('https://stats.DOMAIN/matomo-free.js'),
  'a list of hosts to block': script(
    `window.blocked = ['https://connect.facebook.net/en_US/fbevents.js', 'https://www.googletagmanager.com/gtm.js', 'bat.bing.com']`,
  ),
  'a script that waits for Cookiebot': script(pixel, 'type="text/template"'),
}

const storages: Readonly<Record<string, string>> = {
  'a cookie for the language': `document.cookie = 'lang=de; path=/; max-age=31536000'`,
  'a cart in the local storage': `localStorage.setItem('cart', '[]')`,
  'an answer to a banner': `document.cookie = 'cookieconsent_status=deny; path=/; max-age=31536000'`,
  'a tracker’s cookie that is removed': `document.cookie = '_ga=; path=/; max-age=0'; document.cookie = '_fbp=; path=/; max-age=0'`,
}

const withScripts = (codes: Readonly<Record<string, string>>): AuditedPages =>
  Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [name, { html: page(script(code)), expected: [] }]),
  )

export const innocentPages: AuditedPages = {
  ...withScripts(deadCode),
  ...withScripts(storages),
  ...Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [name, { html: page('', body), expected: [] }]),
  ),
  ...Object.fromEntries(
    Object.entries(heads).map(([name, head]) => [name, { html: page(head), expected: [] }]),
  ),
  'a session of the server': {
    html: page(''),
    headers: { 'set-cookie': 'PHPSESSID=abc; Path=/; HttpOnly' },
    expected: [],
  },
  'a CDN under a name of the web': {
    html: page(load('https://cdn.DOMAIN/main.js')),
    aliases: { cdn: 'hotel.akamaized.net' },
    expected: [],
  },
  'a shop under a name of the web': {
    html: page('', '<img src="https://shop.DOMAIN/a.jpg" alt="">'),
    aliases: { shop: 'shops.myshopify.com' },
    expected: [],
  },
  'Google Analytics that is told that consent is denied': {
    html: page(
      `${script(
        `window.dataLayer = window.dataLayer || []; function gtag() { dataLayer.push(arguments) }
        gtag('consent', 'default', { ad_storage: 'denied', analytics_storage: 'denied' }); gtag('config', '${measurementId}')`,
      )}${load(`https://www.googletagmanager.com/gtag/js?id=${measurementId}`)}`,
    ),
    expected: [
      'denied before: Google Analytics',
      'found: ad_storage denied',
      'found: analytics_storage denied',
      `found: googleanalytics ${measurementId}`,
    ],
  },
}
