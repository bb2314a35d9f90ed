/**
 * What the vendors' scripts do in a visitor's browser, as far as anybody outside sees it: whom they ask, and when. Each
 * stands where the vendor's own is.
 */

const picture = (url: string) => `new Image().src = ${url};`

/** Google tag: reports to Google or to the server that its configuration names, with the state of consent. */
const gtag = `(function () {
  var id = new URL(document.currentScript.src).searchParams.get('id'), server = 'https://www.google-analytics.com';
  var state = {}, asks = false;
  (window.dataLayer || []).forEach(function (entry) {
    if (entry[0] === 'consent') { asks = true; Object.assign(state, entry[2]); }
    if (entry[0] === 'config' && entry[1] === id && entry[2]) server = entry[2].server_container_url || server;
  });
  function granted(signal) { return state[signal] === 'granted' ? 1 : 0; }
  var consent = asks ? '&gcs=G1' + granted('ad_storage') + granted('analytics_storage') : '';
  navigator.sendBeacon(server + '/g/collect?v=2&tid=' + id + consent + '&en=page_view');
})();`

const conversion = `(function () {
  ${picture("'https://googleads.g.doubleclick.net/pagead/viewthroughconversion/' + window.google_conversion_id + '/?random=1'")}
})();`

/** Meta's pixel: works off what the page has queued, and then does at once what it is told. */
const fbevents = `(function () {
  var queue = (window.fbq && fbq.queue) || [], ids = [];
  window.fbq = function (command, value, matching) {
    if (command === 'init') ids.push({ id: value, matching: matching });
    if (command === 'track') ids.forEach(function (pixel) {
      ${picture("'https://www.facebook.com/tr/?id=' + pixel.id + '&ev=' + value + (pixel.matching ? '&ud[em]=5d41402a' : '')")}
    });
  };
  queue.forEach(function (entry) { fbq.apply(null, entry); });
})();`

const pinterest = `(function () {
  var queue = (window.pintrk && pintrk.queue) || [];
  window.pintrk = function (command, id) {
    if (command === 'load') { ${picture("'https://ct.pinterest.com/v3/?event=init&tid=' + id")} }
  };
  queue.forEach(function (entry) { pintrk.apply(null, entry); });
})();`

const bing = `window.UET = function (settings) {
  ${picture("'https://bat.bing.com/action/0?ti=' + settings.ti + '&Ver=2&evt=pageLoad'")}
};`

const linkedin = picture(
  "'https://px.ads.linkedin.com/collect/?pid=' + window._linkedin_partner_id + '&fmt=gif'",
)

const tiktok = `(function () {
  var id = new URL(document.currentScript.src).searchParams.get('sdkid');
  navigator.sendBeacon('https://analytics.tiktok.com/api/v2/pixel', JSON.stringify({ context: { pixel: { code: id } } }));
})();`

const matomo = `(function () {
  var url = '', site = '';
  (window._paq || []).forEach(function (entry) {
    if (entry[0] === 'setTrackerUrl') url = entry[1];
    if (entry[0] === 'setSiteId') site = entry[1];
    if (entry[0] === 'trackPageView') { ${picture("url + '?idsite=' + site + '&rec=1&action_name=' + encodeURIComponent(document.title)")} }
  });
})();`

/** Usercentrics in its three versions: a banner in a shadow root, their functions, and what waits for consent. */
const usercentrics = `(function () {
  var script = document.currentScript, id = script.dataset.settingsId || script.id;
  fetch('https://api.usercentrics.eu/settings/' + id + '/latest/de.json', { mode: 'no-cors' });
  var root = document.createElement('div');
  root.id = 'usercentrics-root';
  root.attachShadow({ mode: 'open' }).innerHTML =
    '<div style="position:fixed;inset:auto 1rem 1rem;padding:1rem;background:#fff;border:1px solid">' +
    '<p>Wir verwenden Cookies und andere Technologien.</p>' +
    '<button data-testid="uc-deny-all-button">Alle ablehnen</button> ' +
    '<button data-testid="uc-accept-all-button">Alle akzeptieren</button></div>';
  function tell(action) {
    root.remove();
    window.dispatchEvent(new CustomEvent('ucEvent', { detail: { event: 'consent_status', action: action } }));
  }
  function deny() { tell('onDenyAllServices'); return Promise.resolve(); }
  function accept() {
    if (window.gtag) gtag('consent', 'update', {
      ad_storage: 'granted', analytics_storage: 'granted', ad_user_data: 'granted', ad_personalization: 'granted'
    });
    document.querySelectorAll('script[type="text/plain"][data-usercentrics]').forEach(function (held) {
      var live = document.createElement('script');
      live.text = held.text;
      held.replaceWith(live);
    });
    tell('onAcceptAllServices');
    return Promise.resolve();
  }
  root.shadowRoot.querySelector('[data-testid="uc-deny-all-button"]').onclick = deny;
  root.shadowRoot.querySelector('[data-testid="uc-accept-all-button"]').onclick = accept;
  function show() { document.body.appendChild(root); }
  if (document.body) show(); else addEventListener('DOMContentLoaded', show);
  if (/\\/browser-ui\\//.test(script.src)) window.UC_UI = {
    isInitialized: function () { return true; }, denyAllConsents: deny, acceptAllConsents: accept
  };
  else if (/\\/ui\\//.test(script.src)) window.__ucCmp = { denyAllConsents: deny, acceptAllConsents: accept };
  else window.usercentrics = {
    denyAllConsentsAndCloseInitialView: deny, acceptAllConsentsAndCloseInitialView: accept
  };
})();`

/**
 * The part of a Google Tag Manager container that runs its tags: at once, or when a consent manager says so. It stands
 * where `data` is the container's own.
 */
export const containerRuntime = `
function run() {
  data.resource.tags.forEach(function (tag) {
    if (tag.function === '__pntr') { ${picture("'https://ct.pinterest.com/v3/?event=init&tid=' + tag.vtp_tagId")} }
    if (tag.function === '__bzi') { ${picture("'https://px.ads.linkedin.com/collect/?pid=' + tag.vtp_id + '&fmt=gif'")} }
    if (tag.function === '__html') {
      var code = document.createElement('script');
      code.text = /<script[^>]*>([\\s\\S]*)<\\/script>/.exec(tag.vtp_html)[1];
      document.head.appendChild(code);
    }
  });
}
if (document.querySelector('script[src*="usercentrics"]')) addEventListener('ucEvent', function (event) {
  if (event.detail.action === 'onAcceptAllServices') run();
});
else run();`

interface VendorScript {
  /** Any host where there is none. */
  readonly host?: string
  readonly path: RegExp
  readonly script: string
}

const scripts: readonly VendorScript[] = [
  { path: /^\/gtag\/js$/, script: gtag },
  { host: 'www.googleadservices.com', path: /^\/pagead\/conversion\.js$/, script: conversion },
  { host: 'connect.facebook.net', path: /\/fbevents\.js$/, script: fbevents },
  { host: 's.pinimg.com', path: /^\/ct\/core\.js$/, script: pinterest },
  { host: 'bat.bing.com', path: /^\/bat\.js$/, script: bing },
  { host: 'snap.licdn.com', path: /\/insight\.min\.js$/, script: linkedin },
  { host: 'analytics.tiktok.com', path: /\/events\.js$/, script: tiktok },
  { host: 'app.usercentrics.eu', path: /\/(loader|main)\.js$/, script: usercentrics },
  { host: 'web.cmp.usercentrics.eu', path: /\/loader\.js$/, script: usercentrics },
  { path: /^\/matomo\.js$/, script: matomo },
]

/** Null where no vendor's script is. */
export const vendorScript = ({ hostname, pathname }: URL): string | null =>
  scripts.find(({ host = hostname, path }) => host === hostname && path.test(pathname))?.script ?? null

/** Where the scripts report to. */
const reports = [
  /\/g\/collect$/,
  /^\/pagead\/viewthroughconversion\//,
  /^\/tr\/$/,
  /^\/v3\/$/,
  /^\/action\/0$/,
  /^\/collect\/$/,
  /^\/api\/v2\/pixel$/,
  /^\/matomo\.php$/,
]

export const takesReport = ({ pathname }: URL): boolean => reports.some((path) => path.test(pathname))
