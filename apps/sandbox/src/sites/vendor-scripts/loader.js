// Loads the vendors' scripts, and queues calls to them until they are there.
window.loadScript = (url, onload = null) => {
  document.head.append(Object.assign(document.createElement('script'), { async: true, onload, src: url }))
}
for (const name of ['fbq', 'pintrk'])
  window[name] ??= (...call) => {
    window[name].queue = [...(window[name].queue ?? []), call]
  }
window.ttq ??= {
  page() {},
  load: (id) => window.loadScript(`https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=${id}&lib=ttq`),
}
