const focusable = 'input:not([type=hidden]), textarea, button'

/** Focuses the first of these fields in the order of the page. */
export function focusFirst(root: HTMLElement | null, names: readonly string[]) {
  const fields = [...(root?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
  const first = fields.find(({ dataset }) => dataset.path !== undefined && names.includes(dataset.path))
  // A group of checkboxes is found by its frame.
  const target = first?.matches(focusable) ? first : first?.querySelector<HTMLElement>(focusable)
  target?.focus()
}
