navigator.sendBeacon(
  'https://analytics.tiktok.com/api/v2/pixel',
  JSON.stringify({
    context: { pixel: { code: new URL(document.currentScript.src).searchParams.get('sdkid') } },
  }),
)
