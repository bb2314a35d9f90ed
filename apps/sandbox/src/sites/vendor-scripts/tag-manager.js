// The part of a Google Tag Manager container that runs the tags of `data`, after consent if the page has a consent manager.
const run = () => {
  for (const tag of data.resource.tags) {
    if (tag.function === '__pntr')
      new Image().src = `https://ct.pinterest.com/v3/?event=init&tid=${tag.vtp_tagId}`
    if (tag.function === '__bzi')
      new Image().src = `https://px.ads.linkedin.com/collect/?pid=${tag.vtp_id}&fmt=gif`
    if (tag.function === '__html') {
      const code = document.createElement('script')
      code.text = /<script[^>]*>([\s\S]*)<\/script>/.exec(tag.vtp_html)[1]
      document.head.append(code)
    }
  }
}
if (document.querySelector('script[src*="usercentrics"]'))
  addEventListener('ucEvent', (event) => {
    if (event.detail.action === 'onAcceptAllServices') run()
  })
else run()
