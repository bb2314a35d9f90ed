/** Buttons of consent managers, for pages where their functions cannot be called. The first visible one is pressed. */
export const knownButtons: readonly {
  readonly manager: string
  readonly refuse: string
  readonly accept: string
}[] = [
  {
    manager: 'Usercentrics',
    refuse:
      '[data-testid="uc-deny-all-button"], [data-action-type="deny"], #uc-btn-deny-banner, .uc-btn-deny',
    accept:
      '[data-testid="uc-accept-all-button"], [data-action-type="accept"], #uc-btn-accept-banner, .uc-btn-accept',
  },
  {
    manager: 'Cookiebot',
    refuse:
      '#CybotCookiebotDialogBodyButtonDecline, #CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll',
    accept: '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll, #CybotCookiebotDialogBodyButtonAccept',
  },
  {
    manager: 'OneTrust',
    refuse: '#onetrust-reject-all-handler, .ot-pc-refuse-all-handler',
    accept: '#onetrust-accept-btn-handler',
  },
  {
    manager: 'Klaro',
    refuse: '.klaro .cn-decline, .klaro .cm-btn-decline',
    accept: '.klaro .cm-btn-accept-all, .klaro .cm-btn-success',
  },
  {
    manager: 'Borlabs Cookie',
    refuse: '.brlbs-btn-accept-only-essential, #BorlabsCookieBox [data-cookie-refuse]',
    accept: '.brlbs-btn-accept-all, #BorlabsCookieBox [data-cookie-accept-all]',
  },
  { manager: 'iubenda', refuse: '.iubenda-cs-reject-btn', accept: '.iubenda-cs-accept-btn' },
  { manager: 'consentmanager', refuse: '.cmpboxbtnno, #cmpbntnotxt', accept: '.cmpboxbtnyes, #cmpbntyestxt' },
  {
    manager: 'Didomi',
    refuse: '#didomi-notice-disagree-button, .didomi-continue-without-agreeing',
    accept: '#didomi-notice-agree-button',
  },
  { manager: 'CookieYes', refuse: '.cky-btn-reject', accept: '.cky-btn-accept' },
  { manager: 'Complianz', refuse: '.cmplz-btn.cmplz-deny', accept: '.cmplz-btn.cmplz-accept' },
  {
    manager: 'CCM19',
    refuse: '#ccm-widget .ccm--decline-cookies, .ccm-root .ccm--decline-cookies',
    accept:
      '#ccm-widget .ccm--save-settings[data-full-consent="true"], .ccm-root .ccm--save-settings[data-full-consent="true"]',
  },
]

/** What opens a closed banner or its settings again, for managers without a function that refuses. */
export const knownOpeners: readonly { readonly manager: string; readonly selector: string }[] = [
  {
    manager: 'Borlabs Cookie',
    selector: '.borlabs-cookie-preference, .borlabs-cookie-open-dialog-preferences',
  },
  { manager: 'iubenda', selector: '.iubenda-cs-preferences-link, .iubenda-tp-btn' },
  { manager: 'Quantcast Choice', selector: '#qc-cmp2-persistent-link' },
  { manager: 'TrustArc', selector: '#teconsent a' },
  { manager: 'Osano', selector: '.osano-cm-widget' },
  { manager: 'CookieYes', selector: '.cky-btn-revisit, [data-cky-tag="revisit-consent"]' },
  { manager: 'CCM19', selector: '[class*="ccm-settings-summoner"]' },
  { manager: 'Termly', selector: '.termly-display-preferences' },
  { manager: 'Real Cookie Banner', selector: 'a[href$="#consent-change"]' },
]

/** Labels of links that open a banner's settings again, in lower case. */
export const openerLabels: readonly RegExp[] = [
  /^(cookies?|consent|privacy|datenschutz)[- ]?(einstellungen|settings|preferences|präferenzen|choices)( (ändern|anpassen|öffnen|bearbeiten|verwalten))?$/,
  /^(einwilligung(en)?|zustimmung|cookies) (widerrufen|ändern|anpassen|verwalten)$/,
  /^(manage|change|withdraw|revoke|update|edit) (your )?(cookies?|consent|(cookie|consent|privacy) (settings|preferences|choices))$/,
  /^(impostazioni|preferenze)( dei| sui)? cookie$/,
  /^(gestisci|modifica|revoca) (i |il |le )?(cookie|consenso|consensi|preferenze( sui)? cookie)$/,
]

/** Labels of banners' buttons in German, English and Italian, in lower case. The least ambiguous come first. */
export const buttonLabels: Readonly<Record<'refuse' | 'accept', readonly RegExp[]>> = {
  refuse: [
    /^(alles? |(alle |optionale )?cookies )(ablehnen|verweigern)$/,
    /^(ablehnen|verweigern|nicht (zustimmen|akzeptieren))$/,
    /^nur (technisch )?(notwendige|erforderliche|essen[tz]ielle)( cookies)?( (akzeptieren|zulassen|verwenden))?$/,
    /^(weiter ohne (zustimmung|einwilligung)|ohne (zustimmung|einwilligung) fortfahren)$/,
    /^((reject|decline|deny|refuse) (all|(all |optional )?cookies))$/,
    /^(reject|decline|deny|refuse|i do not agree)$/,
    /^((accept|use) )?(only (necessary|essential)( cookies)?|(necessary|essential)( cookies)? only)$/,
    /^continue without (accepting|consent)$/,
    /^rifiuta (tutto|tutti|(tutti )?i cookie)$/,
    /^(rifiut[ao]|non accetto|nega)$/,
    /^((accetta|usa) )?solo (i )?(necessari|cookie (necessari|tecnici))$/,
    /^continua senza accettare$/,
  ],
  accept: [
    /^(alles? |(alle )?cookies )(akzeptieren|annehmen|zulassen|erlauben)$|^allen zustimmen$/,
    /^(akzeptieren( und schließen)?|annehmen|zustimmen|ich stimme zu|(ich bin )?einverstanden)$/,
    /^((accept|allow|agree to) all|(accept|allow) (all )?cookies)$/,
    /^((i )?(accept|agree)|(accept|agree) and close|allow)$/,
    /^(accetta|consenti|permetti) (tutto|tutti|(tutti )?i cookie)$/,
    /^(accetta( e chiudi)?|accetto|acconsento)$/,
  ],
}
