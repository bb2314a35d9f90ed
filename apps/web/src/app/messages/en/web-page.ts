/** Texts of the page about one web. */
export const webPage = {
  show: 'Show web',
  audit: 'Tracking audit',
} as const
