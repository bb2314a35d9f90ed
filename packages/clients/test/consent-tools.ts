/**
 * Pages with the banners of consent tools, rebuilt from their public markup as far as it is used to find and to answer them.
 * `NO`, `YES` and `REOPEN` stand for the handlers of their buttons, which are the same for all.
 */
export interface ConsentTool {
  readonly manager: string
  /** How it is answered: by a button or by a function. */
  readonly refused: 'button' | 'call'
  readonly accepted: 'button' | 'call'
  /** Null if the tool has no way that is known. */
  readonly withdrawn: 'button' | 'call' | null
  /** Shown until a choice was made. */
  readonly banner: string
  /** Always shown. */
  readonly footer?: string
  /** The tool's objects. `choose('yes')` and `choose('no')` are there, as are `choice()` and `reopen()`. */
  readonly script?: string
}

/** Puts the banner into an open shadow root. */
const shadow = (host: string, html: string) => `${host}<script>
  document.currentScript.previousElementSibling.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(withHandlers(html))}
</script>`

const withHandlers = (html: string) =>
  html
    .replaceAll('NO', `onclick="choose('no')"`)
    .replaceAll('YES', `onclick="choose('yes')"`)
    .replaceAll('REOPEN', 'onclick="reopen();return false"')

export const consentTools: readonly ConsentTool[] = [
  {
    manager: 'Usercentrics',
    refused: 'button',
    accepted: 'call',
    withdrawn: 'call',
    banner: shadow(
      '<div id="usercentrics-root"></div>',
      '<div data-testid="uc-container"><button data-testid="uc-deny-all-button" NO>Alles ablehnen</button><button data-testid="uc-accept-all-button" YES>Alle akzeptieren</button></div>',
    ),
    script: `window.UC_UI = {
      isInitialized: () => true, closeCMP: async () => undefined, areAllConsentsAccepted: () => choice() === 'yes',
      denyAllConsents: async () => choose('no'), acceptAllConsents: async () => choose('yes'),
    }`,
  },
  {
    // Version 3.
    manager: 'Usercentrics',
    refused: 'call',
    accepted: 'call',
    withdrawn: 'call',
    banner: shadow(
      '<aside id="usercentrics-cmp-ui"></aside>',
      '<button data-action-type="deny" NO>Deny</button><button data-action-type="accept" YES>Accept all</button>',
    ),
    script: `window.__ucCmp = { denyAllConsents: async () => choose('no'), acceptAllConsents: async () => choose('yes') }`,
  },
  {
    manager: 'Cookiebot',
    refused: 'button',
    accepted: 'call',
    withdrawn: 'call',
    banner: `<div id="CybotCookiebotDialog"><button id="CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll" NO>Deny</button>
      <button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll" YES>Allow all</button></div>`,
    script: `window.Cookiebot = {
      get hasResponse() { return choice() !== null }, dialog: { visible: true }, withdraw: () => choose('no'), hide() {},
      submitCustomConsent: (a) => choose(a ? 'yes' : 'no'),
    }`,
  },
  {
    manager: 'OneTrust',
    refused: 'button',
    accepted: 'call',
    withdrawn: 'call',
    banner: `<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk"><button id="onetrust-reject-all-handler" NO>Reject All</button>
      <button id="onetrust-accept-btn-handler" YES>Accept All Cookies</button></div></div>`,
    script: `window.OneTrust = { RejectAll: () => choose('no'), AllowAll: () => choose('yes') }`,
  },
  {
    manager: 'Didomi',
    refused: 'button',
    accepted: 'call',
    withdrawn: 'call',
    banner: `<div id="didomi-host"><div id="didomi-notice"><span class="didomi-continue-without-agreeing" NO>Continue without agreeing →</span>
      <button id="didomi-notice-agree-button" YES>Agree & Close</button></div></div>`,
    script: `window.Didomi = { setUserAgreeToAll: () => choose('yes'), setUserDisagreeToAll: () => choose('no') }`,
  },
  {
    manager: 'Klaro',
    refused: 'call',
    accepted: 'call',
    withdrawn: 'call',
    banner: `<div class="klaro"><div class="cookie-notice"><button class="cm-btn cm-btn-danger cn-decline" NO>Ich lehne ab</button>
      <button class="cm-btn cm-btn-success" YES>Das ist ok</button></div></div>`,
    script: `let all; window.klaro = { show: () => reopen(), getManager: () => ({
      changeAll: (value) => { all = value }, saveAndApplyConsents: () => choose(all ? 'yes' : 'no') }) }`,
  },
  {
    manager: 'consentmanager',
    refused: 'call',
    accepted: 'call',
    withdrawn: 'call',
    banner: `<div id="cmpbox"><a class="cmpmore" href="#">Mehr</a><a class="cmpboxbtn cmpboxbtnno" NO>Ablehnen</a>
      <a class="cmpboxbtn cmpboxbtnyes" YES>Akzeptieren</a></div>`,
    script: `window.cmp_id = 1; window.__cmp = (command, value) =>
      command === 'getCMPData' ? {} : command === 'consentStatus' ? { userChoiceExists: choice() !== null }
      : command === 'setConsent' ? (choose(value ? 'yes' : 'no'), true) : null`,
  },
  {
    manager: 'Complianz',
    refused: 'button',
    accepted: 'call',
    withdrawn: 'call',
    banner: `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-show">
      <button class="cmplz-btn cmplz-accept" YES>Akzeptieren</button><button class="cmplz-btn cmplz-deny" NO>Nur funktionale</button></div></div>`,
    script: `window.cmplz_deny_all = () => choose('no'); window.cmplz_accept_all = () => choose('yes')`,
  },
  {
    manager: 'Borlabs Cookie',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div class="brlbs-cmpnt-dialog"><button class="brlbs-btn brlbs-btn-accept-all" YES>Alle akzeptieren</button>
      <button class="brlbs-btn brlbs-btn-accept-only-essential" NO>Nur essenzielle Cookies akzeptieren</button></div>`,
    footer: '<a href="#" class="borlabs-cookie-preference" REOPEN>Einstellungen</a>',
  },
  {
    manager: 'CookieYes',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div class="cky-consent-container"><button class="cky-btn cky-btn-reject" data-cky-tag="reject-button" NO>Reject All</button>
      <button class="cky-btn cky-btn-accept" data-cky-tag="accept-button" YES>Accept All</button></div>`,
    footer:
      '<div class="cky-btn-revisit-wrapper"><button class="cky-btn-revisit" REOPEN aria-label="Consent Preferences">C</button></div>',
  },
  {
    manager: 'Quantcast Choice',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div id="qc-cmp2-container"><div id="qc-cmp2-main"><div id="qc-cmp2-ui"><div class="qc-cmp2-summary-buttons">
      <button mode="secondary">MORE OPTIONS</button><button mode="secondary" NO>DISAGREE</button><button mode="primary" YES>AGREE</button></div></div></div></div>`,
    script: `window.__tcfapi = (command, version, callback) => {
      if (command === 'displayConsentUi') reopen()
      if (command === 'getTCData') callback({ tcString: choice() === 'yes' ? TC_YES : choice() === 'no' ? TC_NO : '' }, true)
    }`,
  },
  {
    manager: 'TrustArc',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div id="truste-consent-track"><div id="truste-consent-content"><button id="truste-consent-button" YES>Agree</button>
      <button id="truste-consent-required" NO>Required only</button><button id="truste-show-consent">Options</button></div></div>`,
    footer: '<div id="teconsent"><a href="#" REOPEN>Cookie Preferences</a></div>',
  },
  {
    manager: 'Osano',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div class="osano-cm-window"><div class="osano-cm-dialog osano-cm-dialog--type_bar"><button class="osano-cm-denyAll osano-cm-button" NO>Deny</button>
      <button class="osano-cm-accept-all osano-cm-button" YES>Accept</button></div></div>`,
    script: 'window.Osano = { cm: { dialogOpen: true, showDrawer: () => reopen() } }',
  },
  {
    manager: 'iubenda',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div id="iubenda-cs-banner"><button class="iubenda-cs-reject-btn" NO>Rifiuta</button>
      <button class="iubenda-cs-accept-btn" YES>Accetta</button></div>`,
    script: 'window._iub = { cs: { api: { openPreferences: () => reopen() } } }',
  },
  {
    manager: 'Termly',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div id="termly-code-snippet-support"><div><button data-tid="banner-decline" NO>Decline</button>
      <button data-tid="banner-accept" YES>Accept</button></div></div>`,
    script: 'window.displayPreferenceModal = () => reopen()',
  },
  {
    manager: 'CookieFirst',
    refused: 'button',
    accepted: 'call',
    withdrawn: 'call',
    banner: `<div id="cookiefirst-root"><button data-cookiefirst-action="reject" NO>Ablehnen</button>
      <button data-cookiefirst-action="accept" YES>Alle akzeptieren</button></div>`,
    script: `window.CookieFirst = { acceptAllCategories: () => choose('yes'), declineAllCategories: () => choose('no') }`,
  },
  {
    manager: 'Cookie Information',
    refused: 'call',
    accepted: 'call',
    withdrawn: 'call',
    banner: `<div id="cookie-information-template-wrapper"><button id="declineButton" NO>Decline</button>
      <button class="coi-banner__accept" YES>Accept</button></div>`,
    script: `window.CookieInformation = { submitAllCategories: () => choose('yes'), declineAllCategories: () => choose('no') }`,
  },
  {
    manager: 'Axeptio',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div class="axeptio_mount">${shadow(
      '<div class="needsclick"></div>',
      '<div class="axeptio_widget"><button id="axeptio_btn_dismiss" NO>Non merci</button><button id="axeptio_btn_acceptAll" YES>OK pour moi</button></div>',
    )}</div>`,
    script: 'window.openAxeptioCookies = () => reopen()',
  },
  {
    manager: 'tarteaucitron.js',
    refused: 'button',
    accepted: 'call',
    withdrawn: 'call',
    banner: `<div id="tarteaucitronRoot"><div id="tarteaucitronAlertBig"><button id="tarteaucitronAllDenied2" NO>✗ Alle ablehnen</button>
      <button id="tarteaucitronPersonalize2" YES>✓ OK</button></div></div>`,
    script: `window.tarteaucitron = { userInterface: { respondAll: (all) => choose(all ? 'yes' : 'no') } }`,
  },
  {
    manager: 'Real Cookie Banner',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div consent-skip-blocker="1" id="a1" data-bg="0"><dialog open><div><div><div><div><div>
      <a role="button" id="b1" YES><span>Alle akzeptieren</span></a><a role="button" NO><span>Weiter ohne Einwilligung</span></a>
      </div></div></div></div></div></dialog></div>`,
    footer: '<a href="#consent-change" REOPEN>Privatsphäre ändern</a>',
  },
  {
    manager: 'CCM19',
    refused: 'button',
    accepted: 'button',
    withdrawn: 'button',
    banner: `<div id="ccm-widget" class="ccm-modal"><button class="button ccm--decline-cookies" NO>Nein, danke</button>
      <button class="button ccm--save-settings" data-full-consent="true" YES>Ja, gern</button></div>`,
    script: 'window.CCM = { openWidget: () => reopen() }',
  },
]

/** Consent strings of manager 300, version 5: for nothing, and for ten purposes and the vendors 1 to 800. */
export const tcStrings = {
  no: 'CAAAAAAAAAAAAEsAFAENAPEgAAAAAAAAAAAH__wAAAAAAA',
  yes: 'CAAAAAAAAAAAAEsAFAENAPEgAP_AAAAAAAAH__wAYAAgZAAAAAA',
}

/**
 * A page with a tool that obeys the choice, and a tracker: its script is served with a cookie of its own, sets another one,
 * and reports to `tracker.test`.
 * @param lies replaces what the choice does
 */
export const pageWith = (
  { banner, footer = '', script = '' }: ConsentTool,
  lies = '',
): string => `<!doctype html>
<meta charset="utf-8"><title>Hotel</title><script>
  window.choice = () => localStorage.getItem('choice')
  window.track = () => document.head.append(Object.assign(document.createElement('script'), { src: '/track.js' }))
  window.showBanner = (isShown) => { document.getElementById('banner').style.display = isShown ? 'block' : 'none' }
  window.reopen = () => showBanner(true)
  window.choose = (answer) => {
    localStorage.setItem('choice', answer)
    showBanner(false)
    if (answer === 'yes') track()
    else document.cookie = '_trk=; max-age=0'
  }
  addEventListener('DOMContentLoaded', () => {
    if (choice() !== null) showBanner(false)
    if (choice() === 'yes') track()
  })
  ${lies}
  ${script.replace('TC_YES', JSON.stringify(tcStrings.yes)).replace('TC_NO', JSON.stringify(tcStrings.no))}
</script><body><h1>Hotel</h1><div id="banner">${withHandlers(banner)}</div><footer>${withHandlers(footer)}</footer></body>`

export const trackerScript = `document.cookie = '_trk=1; max-age=' + 395 * 86400; new Image().src = 'http://tracker.test/hit'`
