import { type Corpus, containerOf, containerUrl, gtmSnippet, inline, pageWith } from '../page-fixtures.ts'

const gtm = 'GTM-ABC1234'
const empty = { [containerUrl(gtm)]: containerOf([]) }
const gtmFound = `gtm ${gtm} @www.googletagmanager.com`
const withTags = (tags: readonly object[], macros: readonly object[] = []) => ({
  page: pageWith(inline(gtmSnippet(gtm))),
  responses: { [containerUrl(gtm)]: containerOf(tags, macros) },
})
const gtag = 'https://www.googletagmanager.com/gtag/js?id='
const tag = (id: string, more = '') =>
  `<script async src="${gtag}${id}"></script>` +
  inline(`window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments);}
gtag('js', new Date()); gtag('config', '${id}'${more});`)

export const googleCorpus: Corpus = {
  "Google's snippet of Tag Manager": {
    page: pageWith(inline(gtmSnippet(gtm))),
    responses: empty,
    expected: [gtmFound],
  },
  'the snippet with its frame for browsers without scripts': {
    page: pageWith(
      inline(gtmSnippet(gtm)),
      `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=${gtm}" height="0"></iframe></noscript>`,
    ),
    responses: empty,
    expected: [gtmFound],
  },
  'only the frame': {
    page: pageWith(
      '',
      `<noscript><iframe src="//www.googletagmanager.com/ns.html?id=${gtm}"></iframe></noscript>`,
    ),
    responses: empty,
    expected: [gtmFound],
  },
  'the script by its address with entities': {
    page: pageWith(
      `<script async src="https://www.googletagmanager.com/gtm.js?l=dataLayer&amp;id=${gtm}"></script>`,
    ),
    responses: { [`https://www.googletagmanager.com/gtm.js?l=dataLayer&id=${gtm}`]: containerOf([]) },
    expected: [gtmFound],
  },
  'the snippet that waits for consent': {
    page: pageWith(inline(gtmSnippet(gtm), 'type="text/plain" data-usercentrics="Google Tag Manager"')),
    responses: empty,
    expected: [`${gtmFound} (gated)`],
  },
  'what the container of a snippet adds that waits for consent': {
    page: pageWith(
      inline(gtmSnippet(gtm), 'type="text/plain" data-usercentrics="Google Tag Manager"') +
        inline(gtmSnippet('GTM-ZZZ99')),
    ),
    responses: {
      [containerUrl(gtm)]: containerOf([
        { function: '__googtag', vtp_tagId: 'G-ABCDEF1234' },
        { function: '__html', vtp_html: "<script>fbq('init','123456789012345')</script>" },
        { function: '__img', vtp_url: 'https://ct.pinterest.com/v3/?tid=2612345678901' },
        { function: '__baut', vtp_tagId: '12345678' },
      ]),
      [containerUrl('GTM-ZZZ99')]: containerOf([{ function: '__baut', vtp_tagId: '12345678' }]),
    },
    expected: [
      `${gtmFound} (gated)`,
      'gtm GTM-ZZZ99 @www.googletagmanager.com',
      'googleanalytics G-ABCDEF1234 @www.googletagmanager.com (gated)',
      'facebookads 123456789012345 @connect.facebook.net (gated)',
      'pinterestads 2612345678901 @ct.pinterest.com (gated)',
      'microsoftads 12345678 @bat.bing.com',
    ],
  },
  'what a container adds that waits for consent, but not its frame for browsers without scripts': {
    page: pageWith(
      inline(gtmSnippet(gtm), 'type="text/plain" data-usercentrics="Google Tag Manager"'),
      `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=${gtm}"></iframe></noscript>`,
    ),
    responses: { [containerUrl(gtm)]: containerOf([{ function: '__baut', vtp_tagId: '12345678' }]) },
    expected: [gtmFound, 'microsoftads 12345678 @bat.bing.com (gated)'],
  },
  'what a container adds of which there is only the frame': {
    page: pageWith(
      '',
      `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=${gtm}"></iframe></noscript>`,
    ),
    responses: { [containerUrl(gtm)]: containerOf([{ function: '__baut', vtp_tagId: '12345678' }]) },
    expected: [gtmFound, 'microsoftads 12345678 @bat.bing.com'],
  },
  'the snippet within old comment marks': {
    page: pageWith(inline(`<!--\n${gtmSnippet(gtm)}\n//-->`)),
    responses: empty,
    expected: [gtmFound],
  },
  'two containers': {
    page: pageWith(inline(gtmSnippet(gtm)) + inline(gtmSnippet('GTM-ZZZ99'))),
    responses: empty,
    expected: [gtmFound, 'gtm GTM-ZZZ99 @www.googletagmanager.com'],
  },
  'a tagging server with its own host': {
    page: pageWith(inline(gtmSnippet(gtm, 'https://sgtm.hotel.test/gtm.js'))),
    responses: { [`https://sgtm.hotel.test/gtm.js?id=${gtm}`]: containerOf([]) },
    expected: [`gtm ${gtm} @sgtm.hotel.test`, `sgtmid ${gtm} @sgtm.hotel.test`],
  },
  'a tagging server under a path of the web': {
    page: pageWith(inline(gtmSnippet(gtm, '/metrics/gtm.js'))),
    responses: { [`https://www.hotel.test/metrics/gtm.js?id=${gtm}`]: containerOf([]) },
    expected: [`gtm ${gtm} @www.hotel.test`, `sgtmid ${gtm} @www.hotel.test`],
  },
  'a tagging server with a renamed loader': {
    page: pageWith(
      inline(`(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime()});var j=d.createElement(s);
j.async=true;j.src="https://data.hotel.test/8xk2lqp.js?"+i;d.head.appendChild(j);})(window,document,'script','dataLayer','${gtm}');`),
    ),
    expected: [`gtm ${gtm} @data.hotel.test`, `sgtmid ${gtm} @data.hotel.test`],
  },
  'Tag Manager in a bundle of the web, with its id in a constant': {
    page: pageWith('<script src="/app.js" defer></script>'),
    responses: {
      'https://www.hotel.test/app.js': `!function(){const e="${gtm}";const t=document.createElement("script");
t.src="https://www.googletagmanager.com/gtm.js?id="+e,document.head.append(t)}();`,
      ...empty,
    },
    expected: [gtmFound],
  },
  'Tag Manager in a template string': {
    page: pageWith(
      inline(`const id = 'GTM-ABC1234'; const s = document.createElement('script');
s.src = \`https://www.googletagmanager.com/gtm.js?id=\${id}&l=dataLayer\`; document.head.append(s);`),
    ),
    responses: empty,
    expected: [gtmFound],
  },
  'Tag Manager added by its full address': {
    page: pageWith(
      inline(
        `var s=document.createElement("script");s.setAttribute("src", "//www.googletagmanager.com/gtm.js?id=GTM-ABC1234");`,
      ),
    ),
    responses: empty,
    expected: [gtmFound],
  },
  'the script of Analytics added by another script': {
    page: pageWith(
      inline(
        `var g=document.createElement('script');g.src='https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234';`,
      ),
    ),
    expected: ['googleanalytics G-ABCDEF1234 @www.googletagmanager.com'],
  },
  'a script whose address also waits for consent': {
    page: pageWith(
      `<script type="text/plain" data-type="application/javascript" data-name="analytics" data-src="${gtag}G-ABCDEF1234"></script>`,
    ),
    expected: ['googleanalytics G-ABCDEF1234 @www.googletagmanager.com (gated)'],
  },
  'Google Analytics 4': {
    page: pageWith(tag('G-ABCDEF1234')),
    expected: ['googleanalytics G-ABCDEF1234 @www.googletagmanager.com'],
  },
  'Google Analytics through a server of the operator': {
    page: pageWith(tag('G-ABCDEF1234', ", {'server_container_url': 'https://sgtm.hotel.test'}")),
    expected: ['googleanalytics G-ABCDEF1234 @sgtm.hotel.test'],
  },
  'Google Analytics with the old name of the server setting': {
    page: pageWith(inline(`gtag("config","G-ABCDEF1234",{transport_url:"https://sgtm.hotel.test/x"})`)),
    expected: ['googleanalytics G-ABCDEF1234 @sgtm.hotel.test'],
  },
  'the script of Analytics from the tagging server': {
    page: pageWith(`<script src="https://sgtm.hotel.test/gtag/js?id=G-ABCDEF1234"></script>`),
    expected: ['googleanalytics G-ABCDEF1234 @sgtm.hotel.test'],
  },
  'the id of Analytics in a variable': {
    page: pageWith(inline(`var gaId = 'G-QWERTZ7890'; gtag('js', new Date()); gtag('config', gaId);`)),
    expected: ['googleanalytics G-QWERTZ7890 @www.googletagmanager.com'],
  },
  'Google Analytics and Google Ads in one script, waiting for consent': {
    page: pageWith(
      `<script type="text/plain" data-usercentrics="Google Analytics 4" src="${gtag}G-ABCDEF1234"></script>` +
        inline(
          `gtag('config','G-ABCDEF1234');gtag('config','AW-123456789')`,
          'type="text/plain" data-usercentrics="Google Ads"',
        ),
    ),
    expected: [
      'googleanalytics G-ABCDEF1234 @www.googletagmanager.com (gated)',
      'googleads AW-123456789 @www.googletagmanager.com (gated)',
    ],
  },
  'Universal Analytics': {
    page: pageWith(
      inline(`(function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;})(window,document,'script','//www.google-analytics.com/analytics.js','ga');
ga('create', 'UA-12345678-1', 'auto'); ga('send','pageview');`),
    ),
    expected: ['googleanalytics UA-12345678-1 @www.google-analytics.com'],
  },
  'the oldest Analytics': {
    page: pageWith(
      inline(`var _gaq=_gaq||[];_gaq.push(['_setAccount','UA-987654-2']);_gaq.push(['_trackPageview']);`),
    ),
    expected: ['googleanalytics UA-987654-2 @www.google-analytics.com'],
  },
  'an image that reports to Analytics': {
    page: pageWith(
      '',
      '<img src="https://region1.google-analytics.com/g/collect?v=2&amp;tid=G-ABCDEF1234" alt="">',
    ),
    expected: ['googleanalytics G-ABCDEF1234 @region1.google-analytics.com'],
  },
  'a conversion of Google Ads': {
    page: pageWith(inline(`gtag('event','conversion',{'send_to':'AW-987654321/AbC-D_efG','value':1.0});`)),
    expected: ['googleads AW-987654321 @www.googletagmanager.com'],
  },
  'the old conversion code with its image': {
    page: pageWith(
      '',
      inline(
        '/* <![CDATA[ */ var google_conversion_id = 123456789; var google_custom_params = window.google_tag_params; /* ]]> */',
      ) +
        '<noscript><img src="//googleads.g.doubleclick.net/pagead/viewthroughconversion/123456789/?guid=ON&amp;script=0"></noscript>',
    ),
    expected: ['googleads AW-123456789 @www.googleadservices.com'],
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
    expected: [
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
    expected: [gtmFound, 'facebookads 123456789012345 @connect.facebook.net', 'polyfillio @cdn.polyfill.io'],
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
    expected: [gtmFound, 'tiktokads CAAAABBBBCCCCDDDD123 @analytics.tiktok.com'],
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
    expected: [gtmFound, 'googleanalytics G-TAGTAG1234 @sgtm.hotel.test'],
  },
  'an image of a container': {
    ...withTags([{ function: '__img', vtp_url: 'https://px.ads.linkedin.com/collect/?pid=123456&fmt=gif' }]),
    expected: [gtmFound, 'linkedinads 123456 @px.ads.linkedin.com'],
  },
}
