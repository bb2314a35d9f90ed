/** Whether a host is one of those that serve everybody, and none of the operator's own. */
export const isVendor = (host: string) =>
  /(^|\.)(google[\w-]*\.[a-z.]{2,6}|googletagmanager\.com|doubleclick\.net|facebook\.(com|net)|pinimg\.com|pinterest\.com|bing\.(com|net)|licdn\.com|linkedin\.com|tiktok\.com|usercentrics\.eu)$/.test(
    host,
  )
