import { around, type Corpus, inline } from '../world.ts'

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
  'the first Usercentrics': {
    page: around(
      '<script type="application/javascript" src="https://app.usercentrics.eu/latest/main.js" id="aB3dE5fG7"></script>',
    ),
    beside: settings,
    finds: ['usercentrics aB3dE5fG7 v1 @app.usercentrics.eu [Google Analytics, Google Ads]'],
  },
  'the second Usercentrics': {
    page: around(
      '<script id="usercentrics-cmp" src="https://app.usercentrics.eu/browser-ui/latest/loader.js" data-settings-id="aB3dE5fG7" async></script>',
    ),
    beside: settings,
    finds: ['usercentrics aB3dE5fG7 v2 @app.usercentrics.eu [Google Analytics, Google Ads]'],
  },
  'the second Usercentrics with rules by country': {
    page: around(
      '<script id="usercentrics-cmp" src="https://app.usercentrics.eu/browser-ui/3.60.0/bundle_legacy.js" data-ruleset-id="RuLeSet12"></script>',
    ),
    beside: {
      'https://api.usercentrics.eu/ruleSet/RuLeSet12.json':
        '{"defaultRule":{"settingsId":"aB3dE5fG7"},"rules":[]}',
      ...settings,
    },
    finds: ['usercentrics RuLeSet12 v2 @app.usercentrics.eu [Google Analytics, Google Ads]'],
  },
  'the third Usercentrics': {
    page: around(
      `<script src="https://web.cmp.usercentrics.eu/modules/autoblocker.js"></script>
<script id="usercentrics-cmp" src="https://web.cmp.usercentrics.eu/ui/loader.js" data-settings-id="xY9zW8vU7" async></script>`,
    ),
    beside: {
      [`${third}/core/xY9zW8vU7`]: '{"version":"12","languages":["it","de"],"cmp":{"type":"GDPR"}}',
      [`${third}/i18n/de/GDPR/xY9zW8vU7/12`]:
        '{"services":{"a":{"name":"YouTube Video"},"b":{"name":"Matomo"}}}',
    },
    finds: ['usercentrics xY9zW8vU7 v3 @web.cmp.usercentrics.eu [YouTube Video, Matomo]'],
  },
  'Usercentrics behind a name of the operator, whose services nobody tells': {
    page: around(
      '<script id="usercentrics-cmp" src="https://consent.hotel.test/browser-ui/latest/loader.js" data-settings-id="aB3dE5fG7"></script>',
    ),
    finds: ['usercentrics aB3dE5fG7 v2 @consent.hotel.test'],
  },
  'Usercentrics that a script puts into the page': {
    page: around(
      inline(`var s=document.createElement('script');s.id='usercentrics-cmp';
s.src='https://app.usercentrics.eu/browser-ui/latest/loader.js';s.setAttribute('data-settings-id','aB3dE5fG7');document.head.append(s);`),
    ),
    beside: settings,
    finds: ['usercentrics aB3dE5fG7 v2 @app.usercentrics.eu [Google Analytics, Google Ads]'],
  },
  'the data protector without the manager': {
    page: around('<script src="https://privacy-proxy.usercentrics.eu/latest/uc-block.bundle.js"></script>'),
    finds: [],
  },
  'consent mode, all denied': {
    page: around(
      defaults(
        "'ad_storage': 'denied', 'analytics_storage': 'denied', 'ad_user_data': 'denied', 'ad_personalization': 'denied'",
        ", 'wait_for_update': 500",
      ),
    ),
    finds: [
      'ad_storage denied',
      'analytics_storage denied',
      'ad_user_data denied',
      'ad_personalization denied',
    ],
  },
  'consent mode of before 2024': {
    page: around(defaults('ad_storage:"denied",analytics_storage:"granted"')),
    finds: ['ad_storage denied', 'analytics_storage granted'],
  },
  'consent mode whose second default changes the first': {
    page: around(
      defaults(`ad_storage:'granted',analytics_storage:'granted'`) + defaults(`ad_storage:'denied'`),
    ),
    finds: ['ad_storage denied', 'analytics_storage granted'],
  },
  'consent mode with another default for this region': {
    page: around(
      defaults(`ad_storage:'denied','region':['DE','AT']`) +
        defaults(`ad_storage:'granted'`) +
        defaults(`ad_storage:'granted',analytics_storage:'denied',region:['US-CA']`),
    ),
    finds: ['ad_storage denied'],
  },
  'an update after the choice changes no default': {
    page: around(
      defaults(`ad_storage:'denied'`) +
        inline(`function accepted(){gtag("consent","update",{ad_storage:"granted",ad_user_data:"granted"})}`),
    ),
    finds: ['ad_storage denied', 'ad_user_data granted'],
  },
  'consent mode that a variable decides': {
    page: around(
      inline(`gtag('consent','default',{ad_storage: ok ? 'granted' : 'denied', analytics_storage: state})`),
    ),
    finds: [],
  },
}
