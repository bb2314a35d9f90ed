import { type Corpus, home, inline, pageWith } from '../page-fixtures.ts'

const pixel = "fbq('init','123456789012345');"
const found = 'facebookads 123456789012345 @connect.facebook.net'
const encoded = encodeURIComponent(pixel)
const based = Buffer.from(pixel).toString('base64')
const script = { [`${home}a.js`]: pixel }

type Row = readonly [head: string, expected: readonly string[], responses?: Corpus[string]['responses']]

/** Edge cases of what a browser runs. */
const rows: Readonly<Record<string, Row>> = {
  'a script in a data address': [`<script src="data:text/javascript,${encoded}"></script>`, [found]],
  'a script in a base64 data address': [
    `<script src="data:text/javascript;base64,${based}"></script>`,
    [found],
  ],
  'a script in an invalid data address': [
    '<script src="data:text/javascript,%E0%A4%A"></script><script src="data:"></script>',
    [],
  ],
  'a frame in a data address': [
    `<iframe src="data:text/html,${encodeURIComponent(inline(pixel))}"></iframe>`,
    [found],
  ],
  'an image and a link with a data address': [
    `<img src="data:text/html,${encoded}"><a href="data:text/html,${encoded}">x</a><iframe src="data:text/plain,${encoded}"></iframe>`,
    [],
  ],
  'a base without a server, and another after it': [
    '<base href="data:text/html,x"><base href="https://other.test/"><script src="/a.js"></script>',
    [found],
    script,
  ],
  'a base without an address before the effective one': [
    '<base target="_blank"><base href="https://other.test/"><script src="a.js"></script>',
    [found],
    { 'https://other.test/a.js': pixel },
  ],
  'an address without a protocol': [
    '<script src="//www.googletagmanager.com/gtag/js?id=G-ABCDEF1234"></script>',
    ['googleanalytics G-ABCDEF1234 @www.googletagmanager.com'],
  ],
  'a module and its imports': [
    inline(
      `import{a as b}from"./a.js";import c from 'vue';import('https://other.test/b.js')`,
      'type="module"',
    ),
    [found, 'facebookads 223456789012345 @connect.facebook.net'],
    { ...script, 'https://other.test/b.js': "fbq('init','223456789012345')" },
  ],
  'imports in comments and strings': [
    inline(`var help = "import '/a.js'"; // import '/a.js'\nx.import('/a.js'); reimport('/a.js')`),
    [],
    script,
  ],
  'an import map, speculation rules and a policy': [
    inline('{"imports":{"a":"/a.js"}}', 'type="importmap"') +
      inline('{"prerender":[{"urls":["/a.js"]}]}', 'type="speculationrules"') +
      `<meta http-equiv="Content-Security-Policy" content="script-src https://connect.facebook.net 'unsafe-inline'">`,
    [],
    script,
  ],
  'a service worker': [inline(`navigator.serviceWorker.register('/a.js')`), [], script],
  'a script for browsers without modules': [
    `<script nomodule src="/a.js"></script>${inline(pixel, 'nomodule')}`,
    [],
    script,
  ],
  'a script with a language attribute': [inline(pixel, 'language="JavaScript1.2"'), [found]],
  'scripts in other languages': [
    inline(pixel, 'language="VBScript"') + inline(pixel, 'type="text/javascript; charset=utf-8"'),
    [],
  ],
  'code within attributes': [
    `<a href="/book" onclick="gtag('event','conversion',{'send_to':'AW-123456789/abc'})">Buchen</a><img src="/x" onerror="${pixel}">`,
    ['googleads AW-123456789 @www.googletagmanager.com', found],
  ],
  'attributes without code': [
    `<a title="${pixel}" data-onclick="${pixel}" once="no">x</a><noscript><img onload="${pixel}"></noscript>`,
    [],
  ],
}

export const browsersCorpus: Corpus = Object.fromEntries(
  Object.entries(rows).map(([name, [head, expected, responses = {}]]) => [
    name,
    { page: pageWith(head), responses, expected },
  ]),
)
