/** Texts of `features/webs`. */
export const webs = {
  list: { title: 'Webs' },
} as const
