/** What the user did before the palette was loaded. */
export interface EarlySearch {
  readonly query: string
  /** The query at which Enter was pressed; null if it was not. */
  readonly enteredQuery: string | null
  /** What had the focus before. */
  readonly opener: Element | null
}
