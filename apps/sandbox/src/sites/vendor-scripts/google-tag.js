// Reports to Google, or to the server that the configuration names, with the state of consent.
{
  const id = new URL(document.currentScript.src).searchParams.get('id')
  const entries = window.dataLayer ?? []
  const consents = entries.filter((entry) => entry[0] === 'consent').map((entry) => entry[2])
  const configurations = entries.filter((entry) => entry[0] === 'config' && entry[1] === id)
  const state = Object.assign({}, ...consents)
  const isGranted = (signal) => (state[signal] === 'granted' ? 1 : 0)
  const consent =
    consents.length > 0 ? `&gcs=G1${isGranted('ad_storage')}${isGranted('analytics_storage')}` : ''
  const server = configurations.map((entry) => entry[2]?.server_container_url).findLast(Boolean)
  navigator.sendBeacon(
    `${server ?? 'https://www.google-analytics.com'}/g/collect?v=2&tid=${id}${consent}&en=page_view`,
  )
}
