import { around, type Corpus, inline } from '../world.ts'

const dacs = '<script id="dacs" src="https://download.digiaccess.org/digiaccess" defer></script>'

export const agencyCorpus: Corpus = {
  'referrer.js without a version': {
    page: around('<script src="/fileadmin/js/referrer.js"></script>'),
    beside: { 'https://www.hotel.test/fileadmin/js/referrer.js': 'var r = document.referrer;' },
    finds: ['referrerjs https://www.hotel.test/fileadmin/js/referrer.js v1 @www.hotel.test'],
  },
  'referrer.js with its version in the address': {
    page: around('<script src="/js/referrer.min.js?v=2.1"></script>'),
    finds: ['referrerjs https://www.hotel.test/js/referrer.min.js?v=2.1 v2 @www.hotel.test'],
  },
  'referrer.js with its version in the name': {
    page: around('<script src="//cdn.agency.test/referer-2.js"></script>'),
    finds: ['referrerjs https://cdn.agency.test/referer-2.js v2 @cdn.agency.test'],
  },
  'referrer.js with its version in the file, a time in its address, and the cookies': {
    page: around('<script src="/js/referrer.js?1712345678"></script>'),
    beside: {
      'https://www.hotel.test/js/referrer.js?1712345678': `/*! referrer.js v2 */
document.cookie = "t3pref=" + encodeURIComponent(document.referrer) + ";path=/"; setCookie('t3pentry', location.href, 30);`,
    },
    finds: [
      'referrerjs https://www.hotel.test/js/referrer.js?1712345678 v2 @www.hotel.test',
      't3pref',
      't3pentry',
    ],
  },
  'cookies of the server': { page: around(''), cookies: ['fe_typo_user', 't3pentry'], finds: ['t3pentry'] },
  'a cookie that is read alone': {
    page: around(
      inline(
        `var p = getCookie('t3pref'); if (document.cookie.indexOf('t3pref=') > -1) deleteCookie("t3pref");`,
      ),
    ),
    finds: [],
  },
  'polyfill.io as a script': {
    page: around('<script src="https://polyfill.io/v3/polyfill.min.js?features=es6"></script>'),
    finds: ['polyfillio @polyfill.io'],
  },
  'polyfill.io under its other names, put in by a script': {
    page: around(
      inline(
        `var s=document.createElement('script');s.src='//cdn.polyfill.com/v2/polyfill.js';document.body.append(s)`,
      ),
    ),
    finds: ['polyfillio @cdn.polyfill.com'],
  },
  'polyfill.io loaded ahead': {
    page: around('<link rel="preload" as="script" href="https://cdn.polyfill.io/v3/polyfill.min.js">'),
    finds: ['polyfillio @cdn.polyfill.io'],
  },
  "Cloudflare's mirror of polyfill.io, which is safe": {
    page: around(
      '<script src="https://cdnjs.cloudflare.com/polyfill/v3/polyfill.min.js"></script><script src="/polyfill.io/p.js"></script><script src="https://notpolyfill.io/p.js"></script>',
    ),
    finds: [],
  },
  'DigiAccess, installed': {
    page: around(dacs),
    beside: { 'https://download.digiaccess.org/digiaccess': 'window.da = {}' },
    finds: ['digiaccess installed @download.digiaccess.org'],
  },
  'DigiAccess, whose script is not there': {
    page: around(dacs),
    finds: ['digiaccess error @download.digiaccess.org'],
  },
  'DigiAccess, whose script is a page': {
    page: around(dacs),
    beside: {
      'https://download.digiaccess.org/digiaccess': { contentType: 'text/html', text: '<h1>Sorry</h1>' },
    },
    finds: ['digiaccess error @download.digiaccess.org'],
  },
  'DigiAccess from a wrong address': {
    page: around('<script id="dacs" src="https://digiaccess.hotel.test/digiaccess" defer></script>'),
    beside: { 'https://digiaccess.hotel.test/digiaccess': 'window.da = {}' },
    finds: ['digiaccess error @digiaccess.hotel.test'],
  },
}
