import { type Corpus, inline, pageWith } from '../page-fixtures.ts'

const dacs = '<script id="dacs" src="https://download.digiaccess.org/digiaccess" defer></script>'

export const agencyCorpus: Corpus = {
  'referrer.js without a version': {
    page: pageWith('<script src="/fileadmin/js/referrer.js"></script>'),
    responses: { 'https://www.hotel.test/fileadmin/js/referrer.js': 'var r = document.referrer;' },
    expected: ['referrerjs https://www.hotel.test/fileadmin/js/referrer.js v1 @www.hotel.test'],
  },
  'referrer.js with its version in the address': {
    page: pageWith('<script src="/js/referrer.min.js?v=2.1"></script>'),
    expected: ['referrerjs https://www.hotel.test/js/referrer.min.js?v=2.1 v2 @www.hotel.test'],
  },
  'referrer.js with its version in the name': {
    page: pageWith('<script src="//cdn.agency.test/referer-2.js"></script>'),
    expected: ['referrerjs https://cdn.agency.test/referer-2.js v2 @cdn.agency.test'],
  },
  'referrer.js with its version in the file, a timestamp in its address, and the cookies': {
    page: pageWith('<script src="/js/referrer.js?1712345678"></script>'),
    responses: {
      'https://www.hotel.test/js/referrer.js?1712345678': `/*! referrer.js v2 */
document.cookie = "t3pref=" + encodeURIComponent(document.referrer) + ";path=/"; setCookie('t3pentry', location.href, 30);`,
    },
    expected: [
      'referrerjs https://www.hotel.test/js/referrer.js?1712345678 v2 @www.hotel.test',
      't3pref',
      't3pentry',
    ],
  },
  'cookies of the server': {
    page: pageWith(''),
    cookies: ['fe_typo_user', 't3pentry'],
    expected: ['t3pentry'],
  },
  'a cookie that is only read': {
    page: pageWith(
      inline(
        `var p = getCookie('t3pref'); if (document.cookie.indexOf('t3pref=') > -1) deleteCookie("t3pref");`,
      ),
    ),
    expected: [],
  },
  'polyfill.io as a script': {
    page: pageWith('<script src="https://polyfill.io/v3/polyfill.min.js?features=es6"></script>'),
    expected: ['polyfillio @polyfill.io'],
  },
  'polyfill.io under another name, added by a script': {
    page: pageWith(
      inline(
        `var s=document.createElement('script');s.src='//cdn.polyfill.com/v2/polyfill.js';document.body.append(s)`,
      ),
    ),
    expected: ['polyfillio @cdn.polyfill.com'],
  },
  'polyfill.io in a preload link': {
    page: pageWith('<link rel="preload" as="script" href="https://cdn.polyfill.io/v3/polyfill.min.js">'),
    expected: ['polyfillio @cdn.polyfill.io'],
  },
  "Cloudflare's mirror of polyfill.io, which is safe": {
    page: pageWith(
      '<script src="https://cdnjs.cloudflare.com/polyfill/v3/polyfill.min.js"></script><script src="/polyfill.io/p.js"></script><script src="https://notpolyfill.io/p.js"></script>',
    ),
    expected: [],
  },
  'DigiAccess, installed': {
    page: pageWith(dacs),
    responses: { 'https://download.digiaccess.org/digiaccess': 'window.da = {}' },
    expected: ['digiaccess installed @download.digiaccess.org'],
  },
  'DigiAccess with a missing script': {
    page: pageWith(dacs),
    expected: ['digiaccess error @download.digiaccess.org'],
  },
  'DigiAccess with a page instead of its script': {
    page: pageWith(dacs),
    responses: {
      'https://download.digiaccess.org/digiaccess': { contentType: 'text/html', text: '<h1>Sorry</h1>' },
    },
    expected: ['digiaccess error @download.digiaccess.org'],
  },
  'DigiAccess from a wrong address': {
    page: pageWith('<script id="dacs" src="https://digiaccess.hotel.test/digiaccess" defer></script>'),
    responses: { 'https://digiaccess.hotel.test/digiaccess': 'window.da = {}' },
    expected: ['digiaccess error @digiaccess.hotel.test'],
  },
}
