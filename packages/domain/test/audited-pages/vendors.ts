/**
 * What the vendors' scripts do that pages load, as far as it can be seen from outside: what they send and store. By host and path.
 */
export const vendorScripts: Readonly<Record<string, string>> = {
  'connect.facebook.net/en_US/fbevents.js': `(function () {
    var queue = (window.fbq && window.fbq.queue) || []
    window.fbq = function (command, id) {
      if (command !== 'init') return
      document.cookie = '_fbp=fb.1.1.1; path=/; max-age=7776000'
      new Image().src = 'https://www.facebook.com/tr/?id=' + id + '&ev=PageView'
    }
    queue.forEach(function (command) { window.fbq.apply(null, command) })
  })()`,
  'www.googletagmanager.com/gtag/js': `(function () {
    var layer = (window.dataLayer = window.dataLayer || []), isDenied = false
    function run(command) {
      if (command[0] === 'consent') isDenied = command[2].analytics_storage === 'denied'
      if (command[0] !== 'config') return
      if (!isDenied) document.cookie = '_ga=GA1.1.1.1; path=/; max-age=63072000'
      new Image().src = 'https://region1.google-analytics.com/g/collect?v=2&tid=' + command[1] + '&gcs=' + (isDenied ? 'G100' : 'G111')
    }
    layer.forEach(run)
    layer.push = function (command) { run(command); return Array.prototype.push.call(layer, command) }
  })()`,
  'www.googletagmanager.com/gtm.js': `var data = {"resource": {"version": "1", "macros": [], "tags": [], "predicates": [], "rules": []}};`,
  'analytics.tiktok.com/i18n/pixel/events.js': `window.ttq = { page: function () {}, load: function (id) {
    document.cookie = '_ttp=1; path=/; max-age=33696000'
    navigator.sendBeacon('https://analytics.tiktok.com/api/v2/pixel', JSON.stringify({ context: { pixel: { code: id } } }))
  } }`,
}

/** Hosts that pages ask for something; all answer. */
export const vendorHosts: readonly string[] = [
  'ajax.googleapis.com',
  'amplify.outbrain.com',
  'analytics.tiktok.com',
  'app.usercentrics.eu',
  'bat.bing.com',
  'cdn.jsdelivr.net',
  'cdn.mouseflow.com',
  'cdn.taboola.com',
  'cdnjs.cloudflare.com',
  'code.etracker.com',
  'code.jquery.com',
  'connect.facebook.net',
  'consent.cookiebot.com',
  'ct.pinterest.com',
  'dynamic.criteo.com',
  'fonts.googleapis.com',
  'fonts.gstatic.com',
  'googleads.g.doubleclick.net',
  'js-eu1.hs-scripts.com',
  'js.stripe.com',
  'maps.googleapis.com',
  'mc.yandex.ru',
  'player.vimeo.com',
  'px.ads.linkedin.com',
  'region1.google-analytics.com',
  's.pinimg.com',
  'sc-static.net',
  'script.crazyegg.com',
  'snap.licdn.com',
  'static.ads-twitter.com',
  'static.hotjar.com',
  'static.klaviyo.com',
  'unpkg.com',
  'www.clarity.ms',
  'www.facebook.com',
  'www.google.com',
  'www.googletagmanager.com',
  'www.youtube-nocookie.com',
  'www.youtube.com',
]
