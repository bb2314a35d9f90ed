import { around, type Corpus, containerOf, containerUrl, gtmSnippet, inline } from '../world.ts'

const gtm = 'GTM-ABC1234'
const empty = { [containerUrl(gtm)]: containerOf([]) }
const gtmFound = `gtm ${gtm} @www.googletagmanager.com`
const withTags = (tags: readonly object[], macros: readonly object[] = []) => ({
  page: around(inline(gtmSnippet(gtm))),
  beside: { [containerUrl(gtm)]: containerOf(tags, macros) },
})
const gtag = 'https://www.googletagmanager.com/gtag/js?id='
const tag = (id: string, more = '') =>
  `<script async src="${gtag}${id}"></script>` +
  inline(`window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments);}
gtag('js', new Date()); gtag('config', '${id}'${more});`)

export const googleCorpus: Corpus = {
  "Google's snippet of Tag Manager": {
    page: around(inline(gtmSnippet(gtm))),
    beside: empty,
    finds: [gtmFound],
  },
  'the snippet with its frame for browsers without scripts': {
    page: around(
      inline(gtmSnippet(gtm)),
      `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=${gtm}" height="0"></iframe></noscript>`,
    ),
    beside: empty,
    finds: [gtmFound],
  },
  'the frame alone': {
    page: around(
      '',
      `<noscript><iframe src="//www.googletagmanager.com/ns.html?id=${gtm}"></iframe></noscript>`,
    ),
    beside: empty,
    finds: [gtmFound],
  },
  'the script by its address, entities in it': {
    page: around(
      `<script async src="https://www.googletagmanager.com/gtm.js?l=dataLayer&amp;id=${gtm}"></script>`,
    ),
    beside: { [`https://www.googletagmanager.com/gtm.js?l=dataLayer&id=${gtm}`]: containerOf([]) },
    finds: [gtmFound],
  },
  'the snippet that waits for consent': {
    page: around(inline(gtmSnippet(gtm), 'type="text/plain" data-usercentrics="Google Tag Manager"')),
    beside: empty,
    finds: [`${gtmFound} (gated)`],
  },
  'the snippet within old comment marks': {
    page: around(inline(`<!--\n${gtmSnippet(gtm)}\n//-->`)),
    beside: empty,
    finds: [gtmFound],
  },
  'two containers': {
    page: around(inline(gtmSnippet(gtm)) + inline(gtmSnippet('GTM-ZZZ99'))),
    beside: empty,
    finds: [gtmFound, 'gtm GTM-ZZZ99 @www.googletagmanager.com'],
  },
  'a tagging server under a name of its own': {
    page: around(inline(gtmSnippet(gtm, 'https://sgtm.hotel.test/gtm.js'))),
    beside: { [`https://sgtm.hotel.test/gtm.js?id=${gtm}`]: containerOf([]) },
    finds: [`gtm ${gtm} @sgtm.hotel.test`, `sgtmid ${gtm} @sgtm.hotel.test`],
  },
  'a tagging server under a path of the web': {
    page: around(inline(gtmSnippet(gtm, '/metrics/gtm.js'))),
    beside: { [`https://www.hotel.test/metrics/gtm.js?id=${gtm}`]: containerOf([]) },
    finds: [`gtm ${gtm} @www.hotel.test`, `sgtmid ${gtm} @www.hotel.test`],
  },
  'a tagging server with a renamed loader': {
    page: around(
      inline(`(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime()});var j=d.createElement(s);
j.async=true;j.src="https://data.hotel.test/8xk2lqp.js?"+i;d.head.appendChild(j);})(window,document,'script','dataLayer','${gtm}');`),
    ),
    finds: [`gtm ${gtm} @data.hotel.test`, `sgtmid ${gtm} @data.hotel.test`],
  },
  'Tag Manager in a bundle of the web, its id in a constant': {
    page: around('<script src="/app.js" defer></script>'),
    beside: {
      'https://www.hotel.test/app.js': `!function(){const e="${gtm}";const t=document.createElement("script");
t.src="https://www.googletagmanager.com/gtm.js?id="+e,document.head.append(t)}();`,
      ...empty,
    },
    finds: [gtmFound],
  },
  'Tag Manager in a template string': {
    page: around(
      inline(`const id = 'GTM-ABC1234'; const s = document.createElement('script');
s.src = \`https://www.googletagmanager.com/gtm.js?id=\${id}&l=dataLayer\`; document.head.append(s);`),
    ),
    beside: empty,
    finds: [gtmFound],
  },
  'Tag Manager put in by its whole address': {
    page: around(
      inline(
        `var s=document.createElement("script");s.setAttribute("src", "//www.googletagmanager.com/gtm.js?id=GTM-ABC1234");`,
      ),
    ),
    beside: empty,
    finds: [gtmFound],
  },
  'the script of Analytics put in by another': {
    page: around(
      inline(
        `var g=document.createElement('script');g.src='https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234';`,
      ),
    ),
    finds: ['googleanalytics G-ABCDEF1234 @www.googletagmanager.com'],
  },
  'a script whose address waits for consent too': {
    page: around(
      `<script type="text/plain" data-type="application/javascript" data-name="analytics" data-src="${gtag}G-ABCDEF1234"></script>`,
    ),
    finds: ['googleanalytics G-ABCDEF1234 @www.googletagmanager.com (gated)'],
  },
  'Google Analytics 4': {
    page: around(tag('G-ABCDEF1234')),
    finds: ['googleanalytics G-ABCDEF1234 @www.googletagmanager.com'],
  },
  'Google Analytics through a server of the operator': {
    page: around(tag('G-ABCDEF1234', ", {'server_container_url': 'https://sgtm.hotel.test'}")),
    finds: ['googleanalytics G-ABCDEF1234 @sgtm.hotel.test'],
  },
  'Google Analytics with the old name of that setting': {
    page: around(inline(`gtag("config","G-ABCDEF1234",{transport_url:"https://sgtm.hotel.test/x"})`)),
    finds: ['googleanalytics G-ABCDEF1234 @sgtm.hotel.test'],
  },
  'its script from the tagging server': {
    page: around(`<script src="https://sgtm.hotel.test/gtag/js?id=G-ABCDEF1234"></script>`),
    finds: ['googleanalytics G-ABCDEF1234 @sgtm.hotel.test'],
  },
  'its id in a variable': {
    page: around(inline(`var gaId = 'G-QWERTZ7890'; gtag('js', new Date()); gtag('config', gaId);`)),
    finds: ['googleanalytics G-QWERTZ7890 @www.googletagmanager.com'],
  },
  'Google Analytics and Google Ads in one script, waiting for consent': {
    page: around(
      `<script type="text/plain" data-usercentrics="Google Analytics 4" src="${gtag}G-ABCDEF1234"></script>` +
        inline(
          `gtag('config','G-ABCDEF1234');gtag('config','AW-123456789')`,
          'type="text/plain" data-usercentrics="Google Ads"',
        ),
    ),
    finds: [
      'googleanalytics G-ABCDEF1234 @www.googletagmanager.com (gated)',
      'googleads AW-123456789 @www.googletagmanager.com (gated)',
    ],
  },
  'Universal Analytics': {
    page: around(
      inline(`(function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;})(window,document,'script','//www.google-analytics.com/analytics.js','ga');
ga('create', 'UA-12345678-1', 'auto'); ga('send','pageview');`),
    ),
    finds: ['googleanalytics UA-12345678-1 @www.google-analytics.com'],
  },
  'the oldest Analytics': {
    page: around(
      inline(`var _gaq=_gaq||[];_gaq.push(['_setAccount','UA-987654-2']);_gaq.push(['_trackPageview']);`),
    ),
    finds: ['googleanalytics UA-987654-2 @www.google-analytics.com'],
  },
  'a picture that reports to Analytics': {
    page: around(
      '',
      '<img src="https://region1.google-analytics.com/g/collect?v=2&amp;tid=G-ABCDEF1234" alt="">',
    ),
    finds: ['googleanalytics G-ABCDEF1234 @region1.google-analytics.com'],
  },
  'a conversion of Google Ads': {
    page: around(inline(`gtag('event','conversion',{'send_to':'AW-987654321/AbC-D_efG','value':1.0});`)),
    finds: ['googleads AW-987654321 @www.googletagmanager.com'],
  },
  'the old conversion code with its picture': {
    page: around(
      '',
      inline(
        '/* <![CDATA[ */ var google_conversion_id = 123456789; var google_custom_params = window.google_tag_params; /* ]]> */',
      ) +
        '<noscript><img src="//googleads.g.doubleclick.net/pagead/viewthroughconversion/123456789/?guid=ON&amp;script=0"></noscript>',
    ),
    finds: ['googleads AW-123456789 @www.googleadservices.com'],
  },
  'tags of a container': {
    ...withTags(
      [
        { function: '__googtag', vtp_tagId: 'G-TAGTAG1234' },
        { function: '__gaawe', vtp_measurementIdOverride: ['macro', 0], vtp_eventName: 'x' },
        { function: '__awct', vtp_conversionId: '111222333', vtp_conversionLabel: 'abc' },
        { function: '__ua', vtp_gaSettings: ['macro', 1] },
        { function: '__baut', vtp_tagId: '12345678' },
        { function: '__bzi', vtp_id: '654321' },
        { function: '__pntr', vtp_tagId: '2612345678901' },
        { function: '__cvt_123_4', vtp_pixelId: '123456789012345', vtp_advancedMatching: true },
        { function: '__cvt_123_5', vtp_pixelCode: 'CABCDEFGHIJKLMNOPQRS' },
        { function: '__gclidw' },
      ],
      [
        { function: '__c', vtp_value: 'G-MACRO12345' },
        { function: '__gas', vtp_trackingId: 'UA-5555555-5' },
      ],
    ),
    finds: [
      gtmFound,
      'googleanalytics G-TAGTAG1234 @www.googletagmanager.com',
      'googleanalytics G-MACRO12345 @www.googletagmanager.com',
      'googleanalytics UA-5555555-5 @www.google-analytics.com',
      'googleads AW-111222333 @www.googleadservices.com',
      'facebookads 123456789012345 @connect.facebook.net',
      'pinterestads 2612345678901 @s.pinimg.com',
      'microsoftads 12345678 @bat.bing.com',
      'linkedinads 654321 @snap.licdn.com',
      'tiktokads CABCDEFGHIJKLMNOPQRS @analytics.tiktok.com',
      'fbadvancedmatching',
    ],
  },
  'HTML within a container': {
    ...withTags([
      {
        function: '__html',
        vtp_html: `<script type="text/gtmscript">!function(b,e,f){}(window);fbq("init","123456789012345");</script>
<noscript><img src="https://www.facebook.com/tr?id=123456789012345&ev=PageView&noscript=1"/></noscript>
<!-- fbq('init','777777777777777') --><script type="text/gtmscript" data-gtmsrc="https://cdn.polyfill.io/v3/polyfill.min.js"></script>`,
      },
    ]),
    finds: [gtmFound, 'facebookads 123456789012345 @connect.facebook.net', 'polyfillio @cdn.polyfill.io'],
  },
  'a constant within HTML of a container': {
    ...withTags(
      [
        {
          function: '__html',
          vtp_html: [
            'template',
            '<script type="text/gtmscript">ttq.load("',
            ['escape', ['macro', 0], 7],
            '");ttq.page();</script>',
          ],
        },
      ],
      [{ function: '__c', vtp_value: 'CAAAABBBBCCCCDDDD123' }],
    ),
    finds: [gtmFound, 'tiktokads CAAAABBBBCCCCDDDD123 @analytics.tiktok.com'],
  },
  'a tag of a container that reports to the operator': {
    ...withTags([
      {
        function: '__googtag',
        vtp_tagId: 'G-TAGTAG1234',
        vtp_configSettingsTable: [
          'list',
          ['map', 'parameter', 'server_container_url', 'parameterValue', 'https://sgtm.hotel.test'],
        ],
      },
    ]),
    finds: [gtmFound, 'googleanalytics G-TAGTAG1234 @sgtm.hotel.test'],
  },
  'a picture of a container': {
    ...withTags([{ function: '__img', vtp_url: 'https://px.ads.linkedin.com/collect/?pid=123456&fmt=gif' }]),
    finds: [gtmFound, 'linkedinads 123456 @px.ads.linkedin.com'],
  },
}
