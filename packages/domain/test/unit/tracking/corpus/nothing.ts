import { around, type Corpus, gtmSnippet, inline } from '../world.ts'

const snippet = inline(gtmSnippet('GTM-ABC1234'))
const pixel = `fbq('init','123456789012345');`
const escaped = snippet.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Pages that name trackers and have none. */
const pages: Readonly<Record<string, string>> = {
  'a page without anything': around(''),
  'a snippet within a comment': around(`<!-- ${snippet} -->`),
  'a snippet within a comment of Internet Explorer': around(`<!--[if lt IE 9]>${snippet}<![endif]-->`),
  'a comment that does not end': around(`<!-- ${snippet}`),
  'code within a line comment': around(inline(`// ${pixel}\nvar a = 1; // gtag('config', 'G-ABCDEF1234')`)),
  'code within a block comment': around(inline(`/* ${pixel}\n _paq.push(['setSiteId', '1']); */`)),
  'code within a comment of the oldest kind': around(inline(`<!-- ${pixel}\nvar a;`)),
  'code within a string': around(
    inline(`var help = "Paste ${pixel} here"; var more = '${pixel.replaceAll("'", '"')}';`),
  ),
  'code within a template string': around(
    inline(
      `const example = \`${pixel} \${name + "pintrk('load','2612345678901')"} gtag('config','G-ABCDEF1234')\``,
    ),
  ),
  'a string with comment marks, and code after it in a comment': around(
    inline(`var url = "https://a.test/*"; var b = '//'; // ${pixel}`),
  ),
  'a regular expression with quotes, and code in a comment after it': around(
    inline(`var q = s.replace(/["'\`]/g, ''); /* ${pixel} */ var r = a / b / c; // ${pixel}`),
  ),
  'a snippet in an article': around(
    '',
    `<article><h2>GTM</h2><pre><code>${escaped}</code></pre><p>${escaped}</p></article>`,
  ),
  'a snippet in a field': around(
    '',
    `<textarea>${snippet}</textarea><title>${snippet}</title><style>${snippet}</style>`,
  ),
  'a snippet in a template': around(
    '',
    `<template>${snippet}<img src="https://www.facebook.com/tr?id=123456789012345"></template>`,
  ),
  'ids in an article': around(
    '',
    '<p>Unsere GTM-ABC1234 und G-ABCDEF1234, AW-123456789 und UA-12345678-1 stehen im Vertrag; fbq ist von Meta.</p>',
  ),
  'ids in attributes': around(
    '',
    `<div data-gtm="GTM-ABC1234" data-ga="G-ABCDEF1234" title="fbq('init','123456789012345')" data-src="https://www.facebook.com/tr?id=123456789012345"></div>`,
  ),
  'links to trackers': around(
    '<link rel="dns-prefetch" href="//connect.facebook.net"><link rel="preconnect" href="https://cdn.polyfill.io">',
    `<a href="https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234">gtm.js</a>
<a href="https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234">gtag</a> <a href="https://polyfill.io/">polyfill.io</a>
<a href="https://app.usercentrics.eu/browser-ui/latest/loader.js" data-settings-id="aB3dE5fG7" id="usercentrics-cmp">uc</a>`,
  ),
  'JSON-LD that names them': around(
    inline(
      `{"@type":"Article","articleBody":"${pixel}","x":"gtag('config','G-ABCDEF1234')"}`,
      'type="application/ld+json"',
    ),
  ),
  'data of a framework': around(
    inline(`{"gtm":"GTM-ABC1234","html":"<script>${pixel}"}`, 'type="application/json" id="__NEXT_DATA__"'),
  ),
  'a template of a script': around(
    inline(pixel, 'type="text/x-handlebars-template"') + inline(pixel, 'type="text/template"'),
  ),
  'a script that nobody runs and nobody waits for': around(inline(pixel, 'type="text/plain"')),
  'a script that is loaded, with code inside that is not run': around(
    `<script src="/app.js">${pixel}</script>`,
  ),
  'a script for browsers without scripts': around('', `<noscript>${snippet}</noscript>`),
  'functions of the same letters': around(
    inline(
      `myfbq('init','123456789012345'); function fbq(a){} fbq('track','x'); var o = {ti: "12345678"}; notgtag('config','G-ABCDEF1234');`,
    ),
  ),
  'ids that are none': around(
    inline(`gtag('config','G-');gtag('config','XX-123456789');fbq('init','abc');pintrk('load','12');ttq.load('abc');
_linkedin_partner_id="12";ga('create','UA-XXXXX-Y','auto');_gaq.push(['_setAccount','UA-XXXXX-X']);var g='GTM-abc';`),
  ),
  'a pixel whose id is not to be learnt': around(
    inline(`fbq('init', window.config.pixel); gtag('config', id); ttq.load(code)`),
  ),
  'a list of what a consent manager blocks': around(
    inline(`var blocked = ["https://connect.facebook.net/en_US/fbevents.js", "https://cdn.polyfill.io/v3/polyfill.min.js", "bat.bing.com",
"https://www.googletagmanager.com/gtm.js", "https://app.usercentrics.eu/browser-ui/latest/loader.js"];`),
  ),
  'pictures and frames of those services that track nobody by themselves': around(
    '',
    `<img src="https://www.facebook.com/images/logo.png?id=123456789012345"><iframe src="https://www.facebook.com/plugins/like.php?id=123456789012345"></iframe>
<iframe src="https://www.youtube-nocookie.com/embed/abc"></iframe><img src="https://www.pinterest.com/v3/?tid=2612345678901">`,
  ),
  'a picture of another host with the same path': around(
    '',
    '<img src="https://www.hotel.test/tr?id=123456789012345"><img src="/action/0?ti=12345678"><img src="/collect?tid=UA-12345678-1">',
  ),
  'Microsoft’s consent, which is not Google’s': around(
    inline(`window.uetq=window.uetq||[];window.uetq.push('consent','default',{'ad_storage':'denied'});`),
  ),
}

const scripts: Corpus = {
  'a bundle whose library names trackers in its texts': {
    page: around('<script src="/app.js"></script>'),
    beside: {
      'https://www.hotel.test/app.js': `/*! consent.js – blocks ${pixel} */ var texts={meta:"Meta: ${pixel}",ga:'gtag("config","G-ABCDEF1234")'};
var services=[{name:"Facebook Pixel",js:function(){fbq("init",options.pixelId)}}];`,
    },
    finds: [],
  },
  'a script that is not there, and whose error page carries a tracker': {
    page: around('<script src="/gone.js"></script>'),
    beside: {
      'https://www.hotel.test/gone.js': {
        status: 404,
        contentType: 'text/html',
        text: around(inline(pixel)),
      },
    },
    finds: [],
  },
  'a container that was given up': {
    page: around(inline(gtmSnippet('GTM-ABC1234'))),
    finds: ['gtm GTM-ABC1234 @www.googletagmanager.com'],
  },
}

export const nothingCorpus: Corpus = {
  ...Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, { page, finds: [] }])),
  ...scripts,
}
