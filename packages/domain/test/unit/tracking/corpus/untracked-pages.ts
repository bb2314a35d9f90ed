import { type Corpus, gtmSnippet, inline, pageWith } from '../page-fixtures.ts'

const snippet = inline(gtmSnippet('GTM-ABC1234'))
const pixel = `fbq('init','123456789012345');`
const escaped = snippet.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Pages that mention trackers but have none. */
const pages: Readonly<Record<string, string>> = {
  'a page without anything': pageWith(''),
  'a snippet within a comment': pageWith(`<!-- ${snippet} -->`),
  'a snippet within a comment of Internet Explorer': pageWith(`<!--[if lt IE 9]>${snippet}<![endif]-->`),
  'a comment that does not end': pageWith(`<!-- ${snippet}`),
  'code within a line comment': pageWith(inline(`// ${pixel}\nvar a = 1; // gtag('config', 'G-ABCDEF1234')`)),
  'code within a block comment': pageWith(inline(`/* ${pixel}\n _paq.push(['setSiteId', '1']); */`)),
  'code within an HTML-like comment': pageWith(inline(`<!-- ${pixel}\nvar a;`)),
  'code within a string': pageWith(
    inline(`var help = "Paste ${pixel} here"; var more = '${pixel.replaceAll("'", '"')}';`),
  ),
  'code within a template string': pageWith(
    inline(
      `const example = \`${pixel} \${name + "pintrk('load','2612345678901')"} gtag('config','G-ABCDEF1234')\``,
    ),
  ),
  'a string with comment marks, and code after it in a comment': pageWith(
    inline(`var url = "https://a.test/*"; var b = '//'; // ${pixel}`),
  ),
  'a regular expression with quotes, and code in a comment after it': pageWith(
    inline(`var q = s.replace(/["'\`]/g, ''); /* ${pixel} */ var r = a / b / c; // ${pixel}`),
  ),
  'a snippet in an article': pageWith(
    '',
    `<article><h2>GTM</h2><pre><code>${escaped}</code></pre><p>${escaped}</p></article>`,
  ),
  'a snippet in a field': pageWith(
    '',
    `<textarea>${snippet}</textarea><title>${snippet}</title><style>${snippet}</style>`,
  ),
  'a snippet in a template': pageWith(
    '',
    `<template>${snippet}<img src="https://www.facebook.com/tr?id=123456789012345"></template>`,
  ),
  'ids in an article': pageWith(
    '',
    '<p>Unsere GTM-ABC1234 und G-ABCDEF1234, AW-123456789 und UA-12345678-1 stehen im Vertrag; fbq ist von Meta.</p>',
  ),
  'ids in attributes': pageWith(
    '',
    `<div data-gtm="GTM-ABC1234" data-ga="G-ABCDEF1234" title="fbq('init','123456789012345')" data-src="https://www.facebook.com/tr?id=123456789012345"></div>`,
  ),
  'links to trackers': pageWith(
    '<link rel="dns-prefetch" href="//connect.facebook.net"><link rel="preconnect" href="https://cdn.polyfill.io">',
    `<a href="https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234">gtm.js</a>
<a href="https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234">gtag</a> <a href="https://polyfill.io/">polyfill.io</a>
<a href="https://app.usercentrics.eu/browser-ui/latest/loader.js" data-settings-id="aB3dE5fG7" id="usercentrics-cmp">uc</a>`,
  ),
  'JSON-LD that names trackers': pageWith(
    inline(
      `{"@type":"Article","articleBody":"${pixel}","x":"gtag('config','G-ABCDEF1234')"}`,
      'type="application/ld+json"',
    ),
  ),
  'data of a framework': pageWith(
    inline(`{"gtm":"GTM-ABC1234","html":"<script>${pixel}"}`, 'type="application/json" id="__NEXT_DATA__"'),
  ),
  'a template of a script': pageWith(
    inline(pixel, 'type="text/x-handlebars-template"') + inline(pixel, 'type="text/template"'),
  ),
  'a script that never runs and does not wait for consent': pageWith(inline(pixel, 'type="text/plain"')),
  'a loaded script with inline code that does not run': pageWith(`<script src="/app.js">${pixel}</script>`),
  'a script for browsers without scripts': pageWith('', `<noscript>${snippet}</noscript>`),
  'functions with similar names': pageWith(
    inline(
      `myfbq('init','123456789012345'); function fbq(a){} fbq('track','x'); var o = {ti: "12345678"}; notgtag('config','G-ABCDEF1234');`,
    ),
  ),
  'invalid ids': pageWith(
    inline(`gtag('config','G-');gtag('config','XX-123456789');fbq('init','abc');pintrk('load','12');ttq.load('abc');
_linkedin_partner_id="12";ga('create','UA-XXXXX-Y','auto');_gaq.push(['_setAccount','UA-XXXXX-X']);var g='GTM-abc';`),
  ),
  'a pixel with an unknown id': pageWith(
    inline(`fbq('init', window.config.pixel); gtag('config', id); ttq.load(code)`),
  ),
  'a block list of a consent manager': pageWith(
    inline(`var blocked = ["https://connect.facebook.net/en_US/fbevents.js", "https://cdn.polyfill.io/v3/polyfill.min.js", "bat.bing.com",
"https://www.googletagmanager.com/gtm.js", "https://app.usercentrics.eu/browser-ui/latest/loader.js"];`),
  ),
  'images and frames of these services without tracking': pageWith(
    '',
    `<img src="https://www.facebook.com/images/logo.png?id=123456789012345"><iframe src="https://www.facebook.com/plugins/like.php?id=123456789012345"></iframe>
<iframe src="https://www.youtube-nocookie.com/embed/abc"></iframe><img src="https://www.pinterest.com/v3/?tid=2612345678901">`,
  ),
  'an image of another host with the same path': pageWith(
    '',
    '<img src="https://www.hotel.test/tr?id=123456789012345"><img src="/action/0?ti=12345678"><img src="/collect?tid=UA-12345678-1">',
  ),
  'Microsoft’s consent, which is not Google’s': pageWith(
    inline(`window.uetq=window.uetq||[];window.uetq.push('consent','default',{'ad_storage':'denied'});`),
  ),
}

const scripts: Corpus = {
  'a bundle whose library names trackers in its texts': {
    page: pageWith('<script src="/app.js"></script>'),
    responses: {
      'https://www.hotel.test/app.js': `/*! consent.js – blocks ${pixel} */ var texts={meta:"Meta: ${pixel}",ga:'gtag("config","G-ABCDEF1234")'};
var services=[{name:"Facebook Pixel",js:function(){fbq("init",options.pixelId)}}];`,
    },
    expected: [],
  },
  'a missing script whose error page contains a tracker': {
    page: pageWith('<script src="/gone.js"></script>'),
    responses: {
      'https://www.hotel.test/gone.js': {
        status: 404,
        contentType: 'text/html',
        text: pageWith(inline(pixel)),
      },
    },
    expected: [],
  },
  'an abandoned container': {
    page: pageWith(inline(gtmSnippet('GTM-ABC1234'))),
    expected: ['gtm GTM-ABC1234 @www.googletagmanager.com'],
  },
}

export const nothingCorpus: Corpus = {
  ...Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, { page, expected: [] }])),
  ...scripts,
}
