import { type Corpus, inline, pageWith } from '../page-fixtures.ts'

const settings = {
  'https://api.usercentrics.eu/settings/aB3dE5fG7/latest/languages.json':
    '{"languagesAvailable":["en","de"]}',
  'https://api.usercentrics.eu/settings/aB3dE5fG7/latest/de.json':
    '{"consentTemplates":[{"templateId":"HkocEodjb7","version":"1.0.0"},{"templateId":"S1_9Vsuj-Q","version":"2.3.4"}]}',
  'https://aggregator.service.usercentrics.eu/aggregate/de?templates=HkocEodjb7%401.0.0,S1_9Vsuj-Q%402.3.4':
    '{"templates":[{"dataProcessor":"Google Analytics"},{"dataProcessor":"Google Ads"}]}',
}
const third = 'https://v1.api.service.cmp.usercentrics.eu/latest'
const defaults = (states: string, more = '') =>
  inline(`window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}
gtag('consent', 'default', {${states}${more}});`)

export const consentCorpus: Corpus = {
  'Usercentrics 1': {
    page: pageWith(
      '<script type="application/javascript" src="https://app.usercentrics.eu/latest/main.js" id="aB3dE5fG7"></script>',
    ),
    responses: settings,
    expected: ['usercentrics aB3dE5fG7 v1 @app.usercentrics.eu [Google Analytics, Google Ads]'],
  },
  'Usercentrics 2': {
    page: pageWith(
      '<script id="usercentrics-cmp" src="https://app.usercentrics.eu/browser-ui/latest/loader.js" data-settings-id="aB3dE5fG7" async></script>',
    ),
    responses: settings,
    expected: ['usercentrics aB3dE5fG7 v2 @app.usercentrics.eu [Google Analytics, Google Ads]'],
  },
  'Usercentrics 2 with rules by country': {
    page: pageWith(
      '<script id="usercentrics-cmp" src="https://app.usercentrics.eu/browser-ui/3.60.0/bundle_legacy.js" data-ruleset-id="RuLeSet12"></script>',
    ),
    responses: {
      'https://api.usercentrics.eu/ruleSet/RuLeSet12.json':
        '{"defaultRule":{"settingsId":"aB3dE5fG7"},"rules":[]}',
      ...settings,
    },
    expected: ['usercentrics RuLeSet12 v2 @app.usercentrics.eu [Google Analytics, Google Ads]'],
  },
  'Usercentrics 3': {
    page: pageWith(
      `<script src="https://web.cmp.usercentrics.eu/modules/autoblocker.js"></script>
<script id="usercentrics-cmp" src="https://web.cmp.usercentrics.eu/ui/loader.js" data-settings-id="xY9zW8vU7" async></script>`,
    ),
    responses: {
      [`${third}/core/xY9zW8vU7`]: '{"version":"12","languages":["it","de"],"cmp":{"type":"GDPR"}}',
      [`${third}/i18n/de/GDPR/xY9zW8vU7/12`]:
        '{"services":{"a":{"name":"YouTube Video"},"b":{"name":"Matomo"}}}',
    },
    expected: ['usercentrics xY9zW8vU7 v3 @web.cmp.usercentrics.eu [YouTube Video, Matomo]'],
  },
  "Usercentrics on the operator's host, with unknown services": {
    page: pageWith(
      '<script id="usercentrics-cmp" src="https://consent.hotel.test/browser-ui/latest/loader.js" data-settings-id="aB3dE5fG7"></script>',
    ),
    expected: ['usercentrics aB3dE5fG7 v2 @consent.hotel.test'],
  },
  'Usercentrics that a script adds to the page': {
    page: pageWith(
      inline(`var s=document.createElement('script');s.id='usercentrics-cmp';
s.src='https://app.usercentrics.eu/browser-ui/latest/loader.js';s.setAttribute('data-settings-id','aB3dE5fG7');document.head.append(s);`),
    ),
    responses: settings,
    expected: ['usercentrics aB3dE5fG7 v2 @app.usercentrics.eu [Google Analytics, Google Ads]'],
  },
  'the script blocker without the consent manager': {
    page: pageWith('<script src="https://privacy-proxy.usercentrics.eu/latest/uc-block.bundle.js"></script>'),
    expected: [],
  },
  'consent mode, all denied': {
    page: pageWith(
      defaults(
        "'ad_storage': 'denied', 'analytics_storage': 'denied', 'ad_user_data': 'denied', 'ad_personalization': 'denied'",
        ", 'wait_for_update': 500",
      ),
    ),
    expected: [
      'ad_storage denied',
      'analytics_storage denied',
      'ad_user_data denied',
      'ad_personalization denied',
    ],
  },
  'consent mode from before 2024': {
    page: pageWith(defaults('ad_storage:"denied",analytics_storage:"granted"')),
    expected: ['ad_storage denied', 'analytics_storage granted'],
  },
  'consent mode whose second default changes the first': {
    page: pageWith(
      defaults(`ad_storage:'granted',analytics_storage:'granted'`) + defaults(`ad_storage:'denied'`),
    ),
    expected: ['ad_storage denied', 'analytics_storage granted'],
  },
  'consent mode with another default for this region': {
    page: pageWith(
      defaults(`ad_storage:'denied','region':['DE','AT']`) +
        defaults(`ad_storage:'granted'`) +
        defaults(`ad_storage:'granted',analytics_storage:'denied',region:['US-CA']`),
    ),
    expected: ['ad_storage denied'],
  },
  'an update after the choice changes no default': {
    page: pageWith(
      defaults(`ad_storage:'denied'`) +
        inline(`function accepted(){gtag("consent","update",{ad_storage:"granted",ad_user_data:"granted"})}`),
    ),
    expected: ['ad_storage denied', 'ad_user_data granted'],
  },
  'consent mode with a variable': {
    page: pageWith(
      inline(`gtag('consent','default',{ad_storage: ok ? 'granted' : 'denied', analytics_storage: state})`),
    ),
    expected: [],
  },
}
