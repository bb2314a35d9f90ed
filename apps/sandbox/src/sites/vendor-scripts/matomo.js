{
  let url = ''
  let site = ''
  for (const [command, value] of window._paq ?? []) {
    if (command === 'setTrackerUrl') url = value
    if (command === 'setSiteId') site = value
    if (command === 'trackPageView')
      new Image().src = `${url}?idsite=${site}&rec=1&action_name=${encodeURIComponent(document.title)}`
  }
}
