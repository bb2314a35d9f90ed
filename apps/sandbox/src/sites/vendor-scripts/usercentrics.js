// Usercentrics in its three versions: a banner in a shadow root, the version's functions, and scripts that wait for consent.
{
  const script = document.currentScript
  const id = script.dataset.settingsId ?? script.id
  void fetch(`https://api.usercentrics.eu/settings/${id}/latest/de.json`, { mode: 'no-cors' })
  const root = document.createElement('div')
  root.id = 'usercentrics-root'
  root.attachShadow({ mode: 'open' }).innerHTML = `
    <div style="position:fixed;inset:auto 1rem 1rem;padding:1rem;background:#fff;border:1px solid">
      <p>Wir verwenden Cookies und andere Technologien.</p>
      <button data-testid="uc-deny-all-button">Alle ablehnen</button>
      <button data-testid="uc-accept-all-button">Alle akzeptieren</button>
    </div>`
  const finish = (action) => {
    root.remove()
    localStorage.setItem('uc_user_interaction', 'true')
    localStorage.setItem('uc_settings', JSON.stringify({ id, action }))
    window.dispatchEvent(new CustomEvent('ucEvent', { detail: { event: 'consent_status', action } }))
  }
  const deny = async () => finish('onDenyAllServices')
  const accept = async () => {
    window.gtag?.('consent', 'update', {
      ad_storage: 'granted',
      analytics_storage: 'granted',
      ad_user_data: 'granted',
      ad_personalization: 'granted',
    })
    for (const held of document.querySelectorAll('script[type="text/plain"][data-usercentrics]')) {
      const live = document.createElement('script')
      live.text = held.text
      held.replaceWith(live)
    }
    finish('onAcceptAllServices')
  }
  root.shadowRoot.querySelector('[data-testid="uc-deny-all-button"]').onclick = deny
  root.shadowRoot.querySelector('[data-testid="uc-accept-all-button"]').onclick = accept
  const stored = JSON.parse(localStorage.getItem('uc_settings'))
  const show = () => {
    if (stored === null) document.body.append(root)
    else if (stored.action === 'onAcceptAllServices') void accept()
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', show)
  else show()
  if (script.src.includes('/browser-ui/'))
    window.UC_UI = { isInitialized: () => true, denyAllConsents: deny, acceptAllConsents: accept }
  else if (script.src.includes('/ui/')) window.__ucCmp = { denyAllConsents: deny, acceptAllConsents: accept }
  else
    window.usercentrics = {
      denyAllConsentsAndCloseInitialView: deny,
      acceptAllConsentsAndCloseInitialView: accept,
    }
}
