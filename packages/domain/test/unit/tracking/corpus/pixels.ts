import { type Corpus, inline, pageWith } from '../page-fixtures.ts'

const fb = '123456789012345'
const fbSnippet = (init: string) =>
  inline(`!function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){};t=b.createElement(e);t.async=!0;t.src=v}
(window, document,'script','https://connect.facebook.net/en_US/fbevents.js');
fbq('init', ${init}); fbq('track', 'PageView');`)
const matomo = (site: string, url: string) =>
  inline(`var _paq = window._paq = window._paq || [];
  /* tracker methods like "setCustomDimension" should be called before "trackPageView" */
  _paq.push(['trackPageView']); _paq.push(['enableLinkTracking']);
  (function() { ${url}
    _paq.push(['setSiteId', '${site}']);
    var d=document, g=d.createElement('script'), s=d.getElementsByTagName('script')[0];
    g.async=true; g.src=u+'matomo.js'; s.parentNode.insertBefore(g,s);
  })();`)

export const pixelCorpus: Corpus = {
  "Meta's pixel": {
    page: pageWith(
      fbSnippet(`'${fb}'`),
      `<noscript><img height="1" width="1" style="display:none" src="https://www.facebook.com/tr?id=${fb}&ev=PageView&noscript=1"/></noscript>`,
    ),
    expected: [`facebookads ${fb} @connect.facebook.net`],
  },
  "Meta's pixel with advanced matching": {
    page: pageWith(fbSnippet(`"${fb}", {em: 'a@b.c', fn: 'anna'}`)),
    expected: [`facebookads ${fb} @connect.facebook.net`, 'fbadvancedmatching'],
  },
  'advanced matching by a variable': {
    page: pageWith(fbSnippet(`${fb}, userData.hashed`)),
    expected: [`facebookads ${fb} @connect.facebook.net`, 'fbadvancedmatching'],
  },
  'advanced matching that is empty': {
    page: pageWith(fbSnippet(`'${fb}', {}, {agent: 'plwordpress'}`)),
    expected: [`facebookads ${fb} @connect.facebook.net`],
  },
  "only Meta's image, with data that identifies a visitor": {
    page: pageWith('', `<img src="https://www.facebook.com/tr/?id=${fb}&amp;ev=Lead&amp;ud[em]=abc">`),
    expected: [`facebookads ${fb} @www.facebook.com`, 'fbadvancedmatching'],
  },
  "Meta's pixel that waits for another consent manager": {
    page: pageWith(inline(`fbq('init','${fb}')`, 'type="text/plain" data-cookieconsent="marketing"')),
    expected: [`facebookads ${fb} @connect.facebook.net (gated)`],
  },
  "Meta's pixel in a minified bundle": {
    page: pageWith('<script type="module" src="https://cdn.hotel.test/bundle.min.js"></script>'),
    responses: {
      'https://cdn.hotel.test/bundle.min.js': `var a=/[/'"]/g,b="//";function c(){return a.test(b)?1/2:b}fbq("init","${fb}"),fbq("track","PageView");`,
    },
    expected: [`facebookads ${fb} @connect.facebook.net`],
  },
  Pinterest: {
    page: pageWith(
      inline(`!function(e){if(!window.pintrk){}}("https://s.pinimg.com/ct/core.js");
pintrk('load', '2612345678901', {em: '<user_email_address>'}); pintrk('page');`),
      '<noscript><img src="https://ct.pinterest.com/v3/?event=init&tid=2612345678901&noscript=1" /></noscript>',
    ),
    expected: ['pinterestads 2612345678901 @s.pinimg.com'],
  },
  'Microsoft Ads': {
    page: pageWith(
      inline(`(function(w,d,t,r,u){var f,n,i;w[u]=w[u]||[],f=function(){var o={ti:"12345678", enableAutoSpaTracking: true};
o.q=w[u],w[u]=new UET(o)},n=d.createElement(t),n.src=r})(window,document,"script","//bat.bing.com/bat.js","uetq");`),
    ),
    expected: ['microsoftads 12345678 @bat.bing.com'],
  },
  "Microsoft Ads' image": {
    page: pageWith('', '<img src="//bat.bing.com/action/0?ti=5012345&amp;Ver=2">'),
    expected: ['microsoftads 5012345 @bat.bing.com'],
  },
  LinkedIn: {
    page: pageWith(
      '',
      inline(`_linkedin_partner_id = "1234567"; window._linkedin_data_partner_ids = window._linkedin_data_partner_ids || [];
window._linkedin_data_partner_ids.push(_linkedin_partner_id);`) +
        '<noscript><img src="https://px.ads.linkedin.com/collect/?pid=1234567&fmt=gif" /></noscript>',
    ),
    expected: ['linkedinads 1234567 @snap.licdn.com'],
  },
  TikTok: {
    page: pageWith(
      inline(`!function (w, d, t) { w.TiktokAnalyticsObject=t;var ttq=w[t]=w[t]||[];
ttq.load=function(e,n){var r="https://analytics.tiktok.com/i18n/pixel/events.js"};
ttq.load('CABCDEF1234567890XYZ'); ttq.page(); }(window, document, 'ttq');`),
    ),
    expected: ['tiktokads CABCDEF1234567890XYZ @analytics.tiktok.com'],
  },
  "TikTok's script by its address": {
    page: pageWith(
      '<script src="https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=CABCDEF1234567890XYZ&amp;lib=ttq"></script>',
    ),
    expected: ['tiktokads CABCDEF1234567890XYZ @analytics.tiktok.com'],
  },
  Matomo: {
    page: pageWith(
      matomo('7', `var u="//matomo.agency.test/"; _paq.push(['setTrackerUrl', u+'matomo.php']);`),
    ),
    expected: ['matomo 7 @matomo.agency.test'],
  },
  'Matomo under its old name, on the web itself': {
    page: pageWith(matomo('3', `var u="/piwik/"; _paq.push(['setTrackerUrl', u+'piwik.php']);`)),
    expected: ['matomo 3 @www.hotel.test'],
  },
  'Matomo in the cloud': {
    page: pageWith(
      matomo('1', `var u="https://hotel.matomo.cloud/"; _paq.push(["setTrackerUrl", u+"matomo.php"]);`),
    ),
    expected: ['matomo 1 @hotel.matomo.cloud'],
  },
  'two trackers of Matomo': {
    page: pageWith(
      matomo(
        '1',
        `var u="//a.test/"; _paq.push(['setTrackerUrl', u+'matomo.php']); _paq.push(['addTracker', 'https://b.test/matomo.php', 1]);`,
      ),
    ),
    expected: ['matomo 1 @a.test', 'matomo 1 @b.test'],
  },
  "Matomo's image for browsers without scripts": {
    page: pageWith(
      '',
      '<noscript><p><img src="//matomo.agency.test/matomo.php?idsite=12&amp;rec=1" alt="" /></p></noscript>',
    ),
    expected: ['matomo 12 @matomo.agency.test'],
  },
  'Matomo that waits for consent': {
    page: pageWith(
      inline(
        `_paq.push(['setTrackerUrl','https://m.test/matomo.php']);_paq.push(['setSiteId',4]);`,
        'type="text/plain" data-usercentrics="Matomo"',
      ),
    ),
    expected: ['matomo 4 @m.test (gated)'],
  },
  "Matomo's own tag manager": {
    page: pageWith('<script async src="https://m.test/js/container_AbCd1234.js"></script>'),
    responses: {
      'https://m.test/js/container_AbCd1234.js': String.raw`(function(){var _mtm;window._paq=window._paq||[];return {"variables":[{"parameters":{"matomoUrl":"https:\/\/m.test\/","idSite":"9","a":1}}]}})();`,
    },
    expected: ['matomo 9 @m.test'],
  },
  "Matomo's tracker by its function": {
    page: pageWith('', inline(`var t = Piwik.getTracker("https://m.test/piwik.php", 5); t.trackPageView();`)),
    expected: ['matomo 5 @m.test'],
  },
}
