import type { ThirdPartyCategory } from '@kustos/contract/third-parties/states'

export interface Override {
  readonly entity: string
  readonly category: ThirdPartyCategory
  /** Hosts with their subdomains. */
  readonly domains: readonly string[]
  /** Of its addresses, if others on these hosts belong to another service. */
  readonly path?: RegExp
  /** Why the lists do not suffice. */
  readonly reason: string
}

/** Where the lists are wrong or silent about what matters. The first one that matches counts, before the lists. */
export const overrides: readonly Override[] = [
  {
    entity: 'Google reCAPTCHA',
    category: 'captcha',
    domains: ['www.google.com', 'www.gstatic.com', 'recaptcha.net', 'www.recaptcha.net'],
    path: /^\/recaptcha\//,
    reason: 'on hosts that the lists know as a utility and a CDN',
  },
  {
    entity: 'hCaptcha',
    category: 'captcha',
    domains: ['hcaptcha.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'Cloudflare Turnstile',
    category: 'captcha',
    domains: ['challenges.cloudflare.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'Google Maps',
    category: 'maps',
    domains: ['www.google.com', 'www.google.de'],
    path: /^\/maps(\/|$)/,
    reason: 'on hosts that the lists know as a utility',
  },
  {
    entity: 'HubSpot consent banner',
    category: 'consent_tool',
    domains: ['hs-banner.com'],
    reason: 'the lists have all hosts of HubSpot as marketing',
  },
  {
    entity: 'HubSpot',
    category: 'analytics',
    domains: ['hs-scripts.com', 'hs-analytics.net', 'track.hubspot.com', 'hsadspixel.net'],
    reason: 'they count visitors; of HubSpot, the lists also have forms and pages as marketing',
  },
  {
    entity: 'X Ads',
    category: 'advertising',
    domains: ['ads-twitter.com', 'analytics.twitter.com', 'ads-api.twitter.com', 'analytics.x.com', 't.co'],
    reason: 'the lists have its former name, and its pixel (t.co) as shortened links',
  },
  { entity: 'X', category: 'social', domains: ['x.com'], reason: 'not in the lists' },
  {
    entity: 'Criteo',
    category: 'advertising',
    domains: ['dnsdelegation.io'],
    reason: 'not in the lists; names of customers lead to it by CNAME',
  },
  {
    entity: 'Eulerian',
    category: 'analytics',
    domains: ['eulerian.net', 'eulerian.com'],
    reason: 'not in the lists; names of customers lead to it by CNAME',
  },
  {
    entity: 'Adobe Experience Cloud',
    category: 'analytics',
    domains: ['adobedc.net', 'demdex.net'],
    reason: 'not in the lists, or as a tag manager; names of customers lead to it by CNAME',
  },
  {
    entity: 'Adobe Advertising',
    category: 'advertising',
    domains: ['everesttech.net'],
    reason: 'the lists have it as a tag manager; it sets cookies',
  },
  {
    entity: 'Cloudflare Web Analytics',
    category: 'analytics',
    domains: ['cloudflareinsights.com'],
    reason: 'the lists have all hosts of Cloudflare as a utility',
  },
  {
    entity: 'Siteimprove Analytics',
    category: 'analytics',
    domains: ['siteimproveanalytics.com', 'siteimproveanalytics.io'],
    reason: 'the lists have all hosts of Siteimprove as a utility',
  },
  {
    entity: 'New Relic Browser',
    category: 'analytics',
    domains: ['nr-data.net', 'js-agent.newrelic.com'],
    reason: 'the lists have all hosts of New Relic as a utility; these measure visits',
  },
  {
    entity: 'AppDynamics Browser',
    category: 'analytics',
    domains: ['eum-appdynamics.com'],
    reason: 'the lists have all hosts of AppDynamics as a utility; this one measures visits',
  },
  {
    entity: 'Tealium Collect',
    category: 'analytics',
    domains: ['tealiumiq.com'],
    reason: 'the lists have it as a tag manager; it receives what tags collect',
  },
  {
    entity: 'Framer Analytics',
    category: 'analytics',
    domains: ['events.framer.com'],
    reason: 'the lists have all hosts of Framer as hosting',
  },
  {
    entity: 'Aniview',
    category: 'advertising',
    domains: ['aniview.com'],
    reason: 'the lists have it as a host of Tealium',
  },
  {
    entity: 'Experian AudienceIQ',
    category: 'advertising',
    domains: ['audienceiq.com'],
    reason: 'the lists have all hosts of Experian as a utility',
  },
  {
    entity: 'United Internet Media',
    category: 'advertising',
    domains: ['uimserv.net', 'tifbs.net'],
    reason: 'the lists have it as hosting',
  },
  {
    entity: 'consentmanager',
    category: 'consent_tool',
    domains: ['consentmanager.net', 'consentmanager.de'],
    reason: 'not in the lists',
  },
  {
    entity: 'CCM19',
    category: 'consent_tool',
    domains: ['ccm19.de', 'ccm19.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'CookieYes',
    category: 'consent_tool',
    domains: ['cookieyes.com', 'cdn-cookieyes.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'CookieFirst',
    category: 'consent_tool',
    domains: ['cookiefirst.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'Cookiebot',
    category: 'consent_tool',
    domains: ['cookiebot.eu'],
    reason: 'not in the lists, which have cookiebot.com only',
  },
  {
    entity: 'OneTrust CookiePro',
    category: 'consent_tool',
    domains: ['cookiepro.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'Sourcepoint',
    category: 'consent_tool',
    domains: ['privacy-mgmt.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'InMobi Choice',
    category: 'consent_tool',
    domains: ['cmp.inmobi.com'],
    reason: 'the lists have all hosts of InMobi as advertising',
  },
  {
    entity: 'LiveRamp ATS',
    category: 'advertising',
    domains: ['ats-wrapper.privacymanager.io', 'launchpad-wrapper.privacymanager.io'],
    reason: 'they recognise visitors for advertising, on the domain of a consent tool',
  },
  {
    entity: 'LiveRamp Privacy Manager',
    category: 'consent_tool',
    domains: ['privacymanager.io'],
    reason: 'the lists have it as advertising',
  },
  {
    entity: 'Axeptio',
    category: 'consent_tool',
    domains: ['axept.io'],
    reason: 'not in the lists',
  },
  {
    entity: 'CookieHub',
    category: 'consent_tool',
    domains: ['cookiehub.eu', 'cookiehub.net', 'cookiehub.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'Termly',
    category: 'consent_tool',
    domains: ['app.termly.io'],
    reason: 'not in the lists',
  },
  {
    entity: 'Cookie Information',
    category: 'consent_tool',
    domains: ['cookieinformation.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'Klaro',
    category: 'consent_tool',
    domains: ['kiprotect.com'],
    reason: 'not in the lists',
  },
  {
    entity: 'OpenStreetMap',
    category: 'maps',
    domains: ['openstreetmap.org', 'openstreetmap.de'],
    reason: 'not in the lists',
  },
  {
    entity: 'Microsoft',
    category: 'utility',
    domains: ['microsoft.com', 'msecnd.net'],
    reason: 'the lists have all hosts of Microsoft as advertising',
  },
  {
    entity: 'Bing Maps',
    category: 'maps',
    domains: ['www.bing.com'],
    path: /^\/(api\/)?maps(\/|$)/,
    reason: 'on a host that the lists know as advertising',
  },
  {
    entity: 'Apple',
    category: 'utility',
    domains: ['apple.com'],
    reason: 'the lists have all hosts of Apple as advertising',
  },
  {
    entity: 'IBM Cloud',
    category: 'hosting',
    domains: ['ibmcloud.com'],
    reason: 'the lists have all of its customers as analytics',
  },
  {
    entity: 'CDNetworks',
    category: 'cdn',
    domains: ['cdngc.net'],
    reason: 'the lists have all of its customers as analytics',
  },
  {
    entity: 'Trustpilot',
    category: 'other',
    domains: ['trustpilot.com'],
    reason: 'the lists have its widget with ratings as analytics',
  },
  {
    entity: 'Salesforce',
    category: 'other',
    domains: ['force.com', 'salesforce.com'],
    reason: 'the lists have it as advertising; it also delivers pages and forms',
  },
  {
    entity: 'Gravatar',
    category: 'other',
    domains: ['gravatar.com'],
    reason: 'the lists have pictures of authors as social media',
  },
  {
    entity: 'Amazon CloudFront',
    category: 'cdn',
    domains: ['cloudfront.net'],
    reason: 'the lists have no host of its customers, except those of services that have a name',
  },
  {
    entity: 'Amazon Web Services',
    category: 'hosting',
    domains: ['amazonaws.com'],
    reason: 'the lists have no category',
  },
]

/** The categories of services that the lists have in another one. */
export const entityCategories: Readonly<Record<string, ThirdPartyCategory>> = {
  // Lists of fonts are among CDNs.
  'Google Fonts': 'fonts',
  'Adobe TypeKit': 'fonts',
  Monotype: 'fonts',
  MyFonts: 'fonts',
  // They record sessions; the lists have them as analytics, and Clarity as a utility.
  Hotjar: 'session_replay',
  Clarity: 'session_replay',
  ContentSquare: 'session_replay',
  'Crazy Egg': 'session_replay',
  FullStory: 'session_replay',
  Inspectlet: 'session_replay',
  LogRocket: 'session_replay',
  'Lucky Orange': 'session_replay',
  Mouseflow: 'session_replay',
  Smartlook: 'session_replay',
  // Utilities, in the lists.
  mParticle: 'analytics',
  'Optimise Media Group': 'advertising',
  Pixalate: 'advertising',
  Seznam: 'advertising',
  OneSignal: 'marketing',
  'Google Maps': 'maps',
  Mapbox: 'maps',
  'Google reCAPTCHA': 'captcha',
  Cookiebot: 'consent_tool',
  iubenda: 'consent_tool',
  TrustArc: 'consent_tool',
  'Cookie-Script.com': 'consent_tool',
}
