/** Whether a host belongs to a vendor rather than to the operator of the site. */
export const isVendor = (host: string) =>
  /(^|\.)(google[\w-]*\.[a-z.]{2,6}|googletagmanager\.com|doubleclick\.net|facebook\.(com|net)|pinimg\.com|pinterest\.com|bing\.(com|net)|licdn\.com|linkedin\.com|tiktok\.com|usercentrics\.eu)$/.test(
    host,
  )
