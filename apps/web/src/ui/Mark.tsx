/** The same drawing as public/favicon.svg. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="6" fill="var(--mantine-color-teal-7)" />
      <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="11.5" cy="20.5" r="4.7" />
        <path d="M15 17 24.5 7.5M20.5 11.5l3.6 3.6" />
      </g>
    </svg>
  )
}
